// Keys for who likes them, and nothing that the page needs: everything works without this file.
"use strict";
(() => {
  const WAIT = 1500; // milliseconds between "g" and the letter
  const SETTING = "memory.keys";
  let went = 0;

  const typing = (element) => element.closest("input, select, textarea, [contenteditable]") !== null;
  const isOn = () => {
    try {
      return localStorage.getItem(SETTING) !== "off";
    } catch {
      return true; // a browser that keeps nothing
    }
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target) || !isOn()) return;
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("find")?.focus();
    } else if (went && event.timeStamp - went < WAIT) {
      went = 0;
      document.querySelector(`header a[data-key="${CSS.escape(event.key)}"]`)?.click();
    } else if (event.key === "g") {
      went = event.timeStamp;
    } else {
      went = 0;
      const meant = document.querySelector(`main [data-key="${CSS.escape(event.key)}"]`);
      if (!meant?.checkVisibility()) return;
      event.preventDefault(); // the letter is no input of a field that it leads to
      if (meant.matches("a, button, summary")) meant.click();
      else meant.focus();
    }
  });

  // A form that leads back to its document leaves the reader where they were; the notice is read out.
  const PLACE = "memory.place";
  document.addEventListener("submit", () => {
    try {
      sessionStorage.setItem(PLACE, JSON.stringify([location.pathname, scrollY]));
    } catch {
      // a browser that keeps nothing begins at the top
    }
  });
  try {
    const [path, y] = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
    sessionStorage.removeItem(PLACE);
    if (path === location.pathname && !location.hash) scrollTo({ top: y, behavior: "instant" });
  } catch {
    // nothing was kept
  }
  document.querySelector("main .notice[tabindex]")?.focus({ preventScroll: true });

  // A part that renews itself says so when it cannot; it goes on trying.
  const unreachable = (shown) => {
    const sentence = document.getElementById("unreachable");
    if (sentence) sentence.hidden = !shown;
    // What it said of now may not be so any more.
    for (const part of document.querySelectorAll("[data-live]")) part.hidden = shown;
  };
  document.addEventListener("htmx:sendError", () => unreachable(true));
  document.addEventListener("htmx:responseError", () => unreachable(true));
  document.addEventListener("htmx:afterOnLoad", () => unreachable(false));

  const line = document.querySelector(".waits [aria-current]");
  if (line) line.closest(".waits").scrollTop = line.offsetTop - line.closest(".waits").clientHeight / 3;

  // What is wider than the screen begins with its newest days.
  for (const wide of document.querySelectorAll(".wide:has(.grid), .newest")) wide.scrollLeft = wide.scrollWidth;

  const box = document.getElementById("keys");
  if (box) {
    box.checked = isOn();
    box.addEventListener("change", () => localStorage.setItem(SETTING, box.checked ? "on" : "off"));
  }

  // A language is taken at once; the button is for who has no script.
  const language = document.getElementById("language");
  if (language) {
    language.form.querySelector("button").hidden = true;
    language.addEventListener("change", () => language.form.requestSubmit());
  }
})();
