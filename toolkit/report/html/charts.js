"use strict";
// drawing: whole specifications, and templates that places of the page share, each with rows of its own
const iosqCharts = (() => {
  let views = [];
  const text = (id) => document.getElementById(id).textContent;
  const report = () => {
    document.body.dataset.charts = views.length;
    document.body.dataset.errors = window.iosqErrors.length;
    document.body.dataset.firstError = window.iosqErrors[0] || "";
  };

  // on dark paper every colour has a counterpart
  const night = matchMedia("(prefers-color-scheme: dark)");
  const dark = JSON.parse(text("dark-colours"));
  const toned = (spec) => (night.matches ? JSON.parse(JSON.stringify(spec), (_, v) => (typeof v === "string" && dark[v]) || v) : spec);

  // `@name` in a template is a word that comes with the rows; times are minutes after `start`
  const filled = (name, { words = {}, rows, start = 0 }) => {
    const worded = (_, v) => (typeof v === "string" && v[0] === "@" && v.slice(1) in words ? words[v.slice(1)] : v);
    const { columns, spec } = JSON.parse(text("template-" + name), worded);
    const value = (row) => (c, n) => [c, c === "t" ? start + 60000 * row[n] : row[n]];
    return { ...spec, datasets: { rows: rows.map((row) => Object.fromEntries(columns.map(value(row)))) } };
  };

  // a legend in one row, or in as few as keep it inside its chart
  const COLUMNS = [3, 2, 1];
  const legended = (spec, columns) => ({ ...spec, config: { ...spec.config, legend: { ...spec.config.legend, columns } } });
  const isInside = (place) => {
    const edge = place.getBoundingClientRect().right;
    return [...place.querySelectorAll(".role-legend")].every((legend) => legend.getBoundingClientRect().right <= edge);
  };

  // one span of time for all charts over time: `span` as the zoomed one has it, none for all of the time
  let span = null;
  const follow = (view, signal) => {
    view.addSignalListener(signal, (_, chosen) => {
      if (String(chosen) === String(span)) return;
      span = chosen;
      for (const [, other, , name] of views) if (name && other !== view) other.signal(name, span).runAsync();
    });
    if (span) view.signal(signal, span).runAsync();
  };

  const embed = async (place, make) => {
    if (place.dataset.drawn) return;
    place.dataset.drawn = "yes";
    try {
      // interpreted: nothing on the page is compiled from text, which its policy forbids
      const look = { renderer: "svg", actions: false, ast: true, tooltip: { theme: night.matches ? "dark" : "light" } };
      const spec = toned(make());
      let drawn = await vegaEmbed(place, spec, look);
      for (const columns of COLUMNS) {
        if (isInside(place)) break;
        drawn.finalize();
        drawn = await vegaEmbed(place, legended(spec, columns), look);
      }
      // a mark with a page of its own leads there
      drawn.view.addEventListener("click", (_, item) => { if (item?.datum?.page) location.hash = item.datum.page; });
      const zoom = spec.usermeta?.zoom;
      views.push([place, drawn.view, make, zoom]);
      if (zoom) follow(drawn.view, zoom);
    } catch (error) {
      window.iosqErrors.push(String(error));
      place.textContent = "This chart could not be drawn: " + error;
    }
    report();
  };

  const draw = (place) => embed(place, () => place.dataset.spec
    ? JSON.parse(text(place.dataset.spec))
    : filled(place.dataset.template, JSON.parse(text(place.dataset.rows))));

  const seen = () => views.filter(([place]) => place.offsetParent !== null);
  const mend = () => again(seen().map(([place]) => place).filter((place) => !isInside(place)));
  const fit = () => {
    seen().forEach(([place, view]) => view.width(place.clientWidth).run());
    mend();
  };
  const forget = () => {
    for (const [place, view] of views) if (!place.isConnected) view.finalize();
    views = views.filter(([place]) => place.isConnected);
  };
  const again = (places = views.map(([place]) => place)) => {
    const all = views.filter(([place]) => places.includes(place));
    views = views.filter(([place]) => !places.includes(place));
    for (const [place, view, make] of all) {
      view.finalize();
      delete place.dataset.drawn;
      embed(place, make);
    }
  };
  night.addEventListener("change", () => again());
  // a telephone that is turned: the charts follow by themselves, their legends don't
  let turned = 0;
  window.addEventListener("resize", () => { clearTimeout(turned); turned = setTimeout(mend, 100); });

  // paper is narrower than most windows: drawn anew for it, so that letters keep their size
  const PAPER = 680;
  window.addEventListener("beforeprint", () => seen().forEach(([, view]) => view.width(PAPER).run()));
  window.addEventListener("afterprint", fit);
  return { draw, embed, filled, fit, forget, report };
})();
