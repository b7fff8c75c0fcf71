// what is in sight is drawn at once; in a closed fold when the fold is opened, in the page of a place when that is
iosqData.ready.then(() => {
  iosqTables.fill();
  const later = (place) => place.closest("details.more");
  const places = [...document.querySelectorAll(".chart")];
  const drawings = places.filter((place) => !later(place)).map(iosqCharts.draw);

  // one after the other, so that the page answers while many are drawn
  for (const fold of document.querySelectorAll("details.more")) {
    fold.addEventListener("toggle", async () => {
      for (const place of fold.querySelectorAll(".chart")) if (fold.open) await iosqCharts.draw(place);
    });
  }

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
});
