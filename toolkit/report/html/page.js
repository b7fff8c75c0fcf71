"use strict";
(() => {
  const report = (charts) => {
    document.body.dataset.charts = charts;
    document.body.dataset.errors = window.iosqErrors.length;
    document.body.dataset.firstError = window.iosqErrors[0] || "";
  };

  const views = [];
  const drawings = [...document.querySelectorAll(".chart")].map(async (place) => {
    try {
      const spec = JSON.parse(document.getElementById(place.dataset.spec).textContent);
      const drawn = await vegaEmbed(place, spec, { renderer: "svg", actions: false });
      views.push([place, drawn.view]);
    } catch (error) {
      window.iosqErrors.push(String(error));
      place.textContent = "This chart could not be drawn: " + error;
    }
  });
  Promise.all(drawings).then(() => report(views.length));

  // paper is narrower than most windows: drawn anew for it, so that letters keep their size
  const PAPER = 680;
  window.addEventListener("beforeprint", () => views.forEach(([, view]) => view.width(PAPER).run()));
  window.addEventListener("afterprint", () => views.forEach(([place, view]) => view.width(place.clientWidth).run()));

  const key = (cell) => cell.dataset.v ?? cell.textContent;
  const sortBy = (table, place, numeric, down) => {
    const rows = [...table.tBodies[0].rows];
    const empty = (text) => text === "" || text === "–";
    rows.sort((a, b) => {
      const [x, y] = [key(a.cells[place]), key(b.cells[place])];
      if (empty(x) || empty(y)) return empty(x) - empty(y);
      const order = numeric ? Number(x) - Number(y) : x.localeCompare(y, "en");
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows);
  };
  for (const heading of document.querySelectorAll("table.sortable th")) {
    heading.querySelector("button").addEventListener("click", () => {
      const numeric = heading.classList.contains("n");
      const was = heading.getAttribute("aria-sort");
      const down = was ? was === "ascending" : numeric;
      for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortBy(heading.closest("table"), heading.cellIndex, numeric, down);
    });
  }
})();
