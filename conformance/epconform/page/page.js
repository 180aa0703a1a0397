/* page.js - unpacks, and shows the view that the address names. */

const VIEWS = { overview: "Overview", list: "Vectors", causes: "Causes" };

function viewOf(report, { view, parameters }) {
  if (view === "v") return vectorView(report, parameters.v);
  if (view === "list") return list(report, parameters);
  if (view === "causes") return causes(report);
  return overview(report);
}

function navigate(report, first) {
  const place = readAddress(location.hash);
  const main = document.getElementById("main");
  main.replaceChildren(...[viewOf(report, place)].flat(Infinity).filter(Boolean));
  document.getElementById("nav").replaceChildren(...Object.entries(VIEWS).map(([view, words]) =>
    h("a", { href: "#" + view, "aria-current": view === place.view ? "page" : null }, words)));
  document.title = main.querySelector("h2").textContent + " – Conformance report";
  if (!first) {
    window.scrollTo(0, 0);
    main.querySelector("h2").focus({ preventScroll: true });
  }
}

function foot(report) {
  document.getElementById("footer").append(
    "Suite sha256 ", h("code", { id: "digest" }, report.suite.sha256), ": " + counted(report.vectors.length, "vector") + ".");
}

async function start() {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the page's data (it has no DecompressionStream): a browser of 2023 or later can.");
  }
  const words = new TextDecoder().decode(await unpack("data"));
  const report = new Report(JSON.parse(words), await unpack("documents"));
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  window.addEventListener("hashchange", () => navigate(report, false));
  foot(report);
  navigate(report, true);
}

start().catch((error) => {
  document.getElementById("wait")?.replaceChildren(error.message);
  console.error(error);
});
