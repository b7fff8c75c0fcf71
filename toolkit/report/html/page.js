// what is in sight is drawn at once; in a closed fold when the fold is opened, in the page of a place when that is
(() => {
  const later = (place) => place.closest("details.more");
  const places = [...document.querySelectorAll(".chart")];
  const drawings = places.filter((place) => !later(place)).map(iosqCharts.draw);

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) iosqCharts.draw(target);
  }, { rootMargin: "600px" });
  places.filter(later).forEach((place) => near.observe(place));

  // an address inside a fold opens the fold
  const unfold = () => {
    const fold = document.getElementById(location.hash.slice(1))?.closest("details:not([open])");
    if (fold) { fold.open = true; document.getElementById(location.hash.slice(1)).scrollIntoView(); }
  };
  const go = () => { unfold(); iosqPlaces.route(); };
  window.addEventListener("hashchange", go);
  go();
  // the charts above push what was asked for down
  Promise.all(drawings).then(() => { if (location.hash) go(); iosqCharts.report(); });
})();
