// tables: searched and sorted over all their rows; a screenful is in the document
const iosqTables = (() => {
  const STEP = 50;
  const made = (tag, content = "", attributes = {}) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...[content].flat());
    return element;
  };
  const link = (id, words) => made("a", words, { href: "#" + id });

  const forms = {};
  const shown = (value, decimals) => {
    if (value === null || value === "") return "–";
    if (decimals === null || typeof value !== "number") return String(value);
    const look = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return (forms[decimals] ??= new Intl.NumberFormat("en-US", look)).format(value);
  };

  // a row: what each cell is sorted by, its text for the search, and the element, made when it is needed
  const inDocument = (tr) => ({
    keys: [...tr.cells].map((cell) => cell.dataset.v ?? cell.textContent),
    cells: [...tr.cells].map((cell) => cell.textContent.toLowerCase()),
    element: () => tr,
  });
  const fromData = (columns) => (cells) => {
    const values = cells.map((cell) => (Array.isArray(cell) ? cell[0] : cell));
    const words = values.map((value, n) => shown(value, columns[n]));
    let tr;
    const element = () => (tr ??= made("tr", cells.map((cell, n) => {
      const content = Array.isArray(cell) ? link(cell[1], words[n]) : words[n];
      return made("td", content, columns[n] !== null ? { class: "n" } : words[n].length > 32 ? { class: "long" } : {});
    })));
    return { keys: values.map((value) => value ?? ""), cells: words.map((word) => word.toLowerCase()), element };
  };

  const states = new WeakMap();
  const state = (table) => {
    if (!states.has(table)) {
      const data = table.dataset.rows && JSON.parse(document.getElementById(table.dataset.rows).textContent);
      const rows = data ? data.rows.map(fromData(data.columns)) : [...table.tBodies[0].rows].map(inDocument);
      states.set(table, { rows, words: "", most: data ? STEP : Infinity });
    }
    return states.get(table);
  };

  // every word is part of a cell; in quotes it is a whole one, or that of a column: "Rank: 0001"
  const searched = (words) => [...words.matchAll(/"([^"]*)"|\S+/g)];
  const isIn = ({ cells }, headings) => ([word, whole]) =>
    cells.some((cell, n) => (whole === undefined ? cell.includes(word) : [cell, `${headings[n]}: ${cell}`].includes(whole)));
  const search = (table, words) => {
    state(table).words = words.trim().toLowerCase();
    show(table);
  };

  const show = (table) => {
    const { rows, words, most } = state(table);
    const headings = [...table.tHead.rows[0].cells].map((th) => th.textContent.trim().toLowerCase());
    const found = words ? rows.filter((row) => searched(words).every(isIn(row, headings))) : rows;
    table.tBodies[0].replaceChildren(...found.slice(0, most).map((row) => row.element()));
    const part = table.closest(".table");
    if (!part) return;
    const count = (n) => shown(n, 0);
    const some = found.length > most ? `${count(most)} of ` : "";
    const status = part.querySelector(".status");
    if (status) status.textContent = `${some}${count(found.length)} ${found.length === 1 ? "row" : "rows"}` + (words ? ` of ${count(rows.length)}` : "");
    const more = part.querySelector(".more-rows");
    if (more) more.hidden = found.length <= most;
  };

  const empty = (key) => key === "" || key === "–";
  const sort = (table, place, numeric, down) => {
    state(table).rows.sort(({ keys: { [place]: x } }, { keys: { [place]: y } }) => {
      if (empty(x) || empty(y)) return empty(x) - empty(y);
      const order = numeric ? Number(x) - Number(y) : String(x).localeCompare(String(y), "en");
      return down ? -order : order;
    });
    show(table);
  };

  // a link to rows of a table fills its search; a table without one is short
  document.addEventListener("click", ({ target }) => {
    const to = target.closest("a[data-find]");
    const part = to && document.getElementById(to.hash.slice(1)).closest(".table");
    const input = part?.querySelector(".find input");
    if (!input) return;
    input.value = to.dataset.find;
    search(part.querySelector("table"), input.value);
  });
  document.addEventListener("click", (event) => {
    const more = event.target.closest(".more-rows button");
    if (more) {
      const table = more.closest(".table").querySelector("table");
      state(table).most += STEP;
      return show(table);
    }
    const heading = event.target.closest("table.sortable th");
    if (!heading) return;
    const numeric = heading.classList.contains("n");
    const was = heading.getAttribute("aria-sort");
    const down = was ? was === "ascending" : numeric;
    for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    sort(heading.closest("table"), heading.cellIndex, numeric, down);
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches(".find input")) return;
    search(event.target.closest(".table").querySelector("table"), event.target.value);
  });
  const fill = () => document.querySelectorAll("table[data-rows]").forEach(show);
  return { fill, made, link, shown };
})();
