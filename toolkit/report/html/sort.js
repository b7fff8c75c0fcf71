// tables sorted by a click on a heading, those made later too
(() => {
  const key = (cell) => cell.dataset.v ?? cell.textContent;
  const empty = (text) => text === "" || text === "–";
  const sortBy = (table, place, numeric, down) => {
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const [x, y] = [key(a.cells[place]), key(b.cells[place])];
      if (empty(x) || empty(y)) return empty(x) - empty(y);
      const order = numeric ? Number(x) - Number(y) : x.localeCompare(y, "en");
      return down ? -order : order;
    });
    table.tBodies[0].append(...rows);
  };
  document.addEventListener("click", (event) => {
    const heading = event.target.closest("table.sortable th");
    if (!heading) return;
    const numeric = heading.classList.contains("n");
    const was = heading.getAttribute("aria-sort");
    const down = was ? was === "ascending" : numeric;
    for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    sortBy(heading.closest("table"), heading.cellIndex, numeric, down);
  });
})();
