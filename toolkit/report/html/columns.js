// rows that came column by column (columns.py says how)
const iosqColumns = (() => {
  const column = (made) => {
    if (Array.isArray(made)) return made;
    if (made.runs) return made.runs.flatMap((value, n) => Array(made.each[n]).fill(value));
    if (made.of) return made.at.map((place) => made.of[place]);
    const power = 10 ** made.tenths;
    return made.whole.map((value) => (value === null ? null : value / power));
  };
  const rows = (made) => {
    if (Array.isArray(made)) return made;
    const columns = Object.entries(made.columns).map(([name, values]) => [name, column(values)]);
    return Array.from({ length: made.count }, (_, n) => Object.fromEntries(columns.map(([name, values]) => [name, values[n]])));
  };
  return { column, rows };
})();
