// pages of boxes, LCUs and volumes: the address says which is open
const iosqPlaces = (() => {
  const section = document.getElementById("places");
  if (!section) return { route: () => {} };
  const volumePage = document.getElementById("volume-page");
  let parsed;
  const data = () => (parsed ??= JSON.parse(document.getElementById("places-data").textContent));
  const at = (name) => data().columns.findIndex((c) => c.name === name);
  // as anchors.py does
  const idOf = (row) => ["volume", encodeURIComponent(row[at("volume")]), encodeURIComponent(row[at("system")])].join("-");

  const { made, link, shown } = iosqTables;

  // the columns from here on are those of the week before
  const WEEK = 7;
  const lines = (place, id) => {
    const { title, words, columns } = data().series[id];
    const rows = columns[0].map((_, n) => columns.map((own) => own[n]));
    const weekly = rows.some((row) => row.slice(WEEK).some((value) => value !== null));
    if (weekly) place.append(made("p", "Dashed: the same time a week before.", { class: "about" }));
    const titles = { parts: "Response time per I/O by part, ms", rate: "I/Os per s", queue: "I/Os queued in the host" };
    for (const [name, label] of Object.entries(titles)) {
      const spoken = label + " over local time. " + title + ". The numbers are in the table below.";
      const chart = made("div", [], { class: "chart", role: "img", "aria-label": spoken });
      place.append(chart);
      iosqCharts.embed(chart, () => iosqCharts.filled(name, { rows, words, start: data().start }));
    }
    place.append(inNumbers(weekly ? rows : rows.map((row) => row.slice(0, WEEK))));
  };

  // what the charts show, as a table; made when it is opened
  const HEADINGS = ["Local time", "IOSQ ms", "pend ms", "disc ms", "conn ms", "I/Os per s", "I/Os queued",
    "Response a week before, ms", "I/Os per s a week before"];
  const inNumbers = (rows) => {
    const fold = made("details", made("summary", "The charts in numbers"), { class: "in-numbers" });
    fold.addEventListener("toggle", () => {
      const at = (minutes) => new Date(data().start + 60000 * minutes).toISOString().slice(0, 16).replace("T", " ");
      const known = rows.filter((row, n) => row.slice(1).some((v) => v !== null) && row[0] !== rows[n - 1]?.[0]);
      const cells = (row) => row.map((v, n) => made("td", n ? shown(v, n < 5 || n === WEEK ? 2 : 1) : at(v), n ? { class: "n" } : {}));
      const head = made("tr", HEADINGS.slice(0, rows[0].length).map((words, n) => made("th", words, { scope: "col", ...(n ? { class: "n" } : {}) })));
      const table = made("table", [made("thead", head), made("tbody", known.map((row) => made("tr", cells(row))))], { class: "hours" });
      fold.append(made("div", table, { class: "scroll", role: "region", tabindex: "0", "aria-label": "The charts in numbers" }));
    }, { once: true });
    return fold;
  };

  const listVolumes = (table) => {
    const { columns, shown: places, volumes } = data();
    const cells = (row) => places.map((n) => {
      const { name, decimals } = columns[n];
      const words = shown(row[n], decimals);
      const content = name === "volume" ? link(idOf(row), words) : words;
      return made("td", content, decimals === null ? {} : { class: "n", "data-v": row[n] ?? "" });
    });
    table.tBodies[0].replaceChildren(...(volumes[table.dataset.volumes] || []).map((row) => made("tr", cells(row))));
  };

  const fill = (place) => {
    if (place.dataset.filled) return;
    place.dataset.filled = "yes";
    for (const table of place.querySelectorAll("table[data-volumes]")) listVolumes(table);
    for (const chart of place.querySelectorAll(".over-time")) lines(chart, chart.dataset.series);
  };

  const everywhere = () => Object.entries(data().volumes).flatMap(([place, rows]) => rows.map((row) => [place, row]));
  const numbers = (row) => made("dl", data().columns.map(({ heading, decimals }, n) =>
    made("div", [made("dt", heading), made("dd", shown(row[n], decimals))])));
  const quoted = (words) => "'" + String(words).replaceAll("'", "''") + "'";
  const query = (row) => "SELECT * FROM volume_interval WHERE volume = " + quoted(row[at("volume")])
    + " AND system = " + quoted(row[at("system")]) + " ORDER BY interval_start";

  const crumbs = (inside, name) => {
    const home = document.getElementById(inside);
    const above = [...home.querySelectorAll(".crumbs a")].map((a) => link(a.hash.slice(1), a.textContent));
    const all = [...above, link(inside, home.querySelector("h3").textContent)];
    return made("p", [...all.flatMap((a) => [a, " › "]), name], { class: "crumbs screen-only" });
  };

  const about = (id) => {
    const seen = new Set([...document.querySelectorAll(".findings .look a")].filter((a) => a.hash === "#" + id)
      .map((a) => a.closest("li")));
    if (!seen.size) return [];
    const items = [...seen].map((li) => made("li", link(li.id, li.querySelector(".text").textContent), { class: li.className }));
    return [made("h4", "Findings about it"), made("ul", items, { class: "about-it" })];
  };

  // the same volume as other systems see it
  const others = (row) => {
    const same = everywhere().map(([, r]) => r).filter((r) => r[at("volume")] === row[at("volume")] && r !== row);
    if (!same.length) return [];
    const links = same.flatMap((r, n) => [n ? ", " : "", link(idOf(r), r[at("system")])]);
    return [made("p", ["Also used by: ", ...links], { class: "screen-only" })];
  };

  const overTime = (id) => {
    const own = data().series[id];
    if (!own) return [made("p", "This page keeps charts over time only for the volumes that lose most; the query below gives every interval of this one.")];
    const place = made("div", [], { class: "over-time" });
    lines(place, id);
    return [made("h4", own.title), place];
  };

  const showVolume = (id, [inside, row]) => {
    const name = "Volume " + row[at("volume")] + " on " + row[at("system")];
    volumePage.hidden = false;
    volumePage.setAttribute("aria-label", name);
    volumePage.replaceChildren(crumbs(inside, name), made("h3", name), ...about(id));
    // drawn in sight, because a chart measures its place
    open(volumePage);
    volumePage.append(...overTime(id), made("h4", "Its numbers over the whole span"), numbers(row), ...others(row),
      made("p", [made("code", 'iosq sql "…"'), " gives every interval with:"]), made("pre", made("code", query(row))));
    iosqCharts.forget();
  };

  const open = (place) => {
    for (const other of section.querySelectorAll(".place.open")) other.classList.remove("open");
    section.classList.toggle("opened", Boolean(place));
    place?.classList.add("open");
  };

  const show = (place) => {
    (place || section).scrollIntoView();
    place?.focus({ preventScroll: true });
    iosqCharts.fit();
  };

  const route = () => {
    const id = location.hash.slice(1);
    if (id === "places") return open(null), show(null);
    const volume = id.startsWith("volume-") && everywhere().find(([, row]) => idOf(row) === id);
    if (volume) return showVolume(id, volume), show(volumePage);
    const place = document.getElementById(id);
    if (!place?.matches(".place")) return;
    open(place);
    fill(place);
    show(place);
  };
  return { route };
})();
