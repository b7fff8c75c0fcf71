// what the page carries packed (embed.py says what and why): unpacked before anything is shown
const iosqData = (() => {
  const unpacked = async (element) => {
    const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    element.textContent = await new Response(stream).text();
  };
  const inserted = (place) => place.outerHTML = document.getElementById(place.dataset.from).textContent;
  const run = (element) => {
    const script = document.createElement("script");
    script.textContent = element.textContent;
    element.replaceWith(script);
  };
  const all = async () => {
    await Promise.all([...document.querySelectorAll('script[type="application/gzip"]')].map(unpacked));
    document.querySelectorAll("[data-from]").forEach(inserted);
    document.querySelectorAll("script[data-runs]").forEach(run);
  };
  const failed = (error) => {
    document.body.prepend("This browser can't unpack what the page carries: open it in one of 2023 or later. ");
    throw error;
  };
  return { ready: all().catch(failed) };
})();
