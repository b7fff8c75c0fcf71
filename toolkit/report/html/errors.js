"use strict";
// without scripts all pages of LCUs and boxes are shown, one after the other
document.documentElement.classList.add("js");
// counted from the first line on, so that a test (or a reader) sees that something failed
window.iosqErrors = [];
window.addEventListener("error", (event) => window.iosqErrors.push(String(event.message)));
window.addEventListener("unhandledrejection", (event) => window.iosqErrors.push(String(event.reason)));
for (const level of ["error", "warn"]) {
  const before = console[level].bind(console);
  console[level] = (...words) => { window.iosqErrors.push(words.map(String).join(" ")); before(...words); };
}
