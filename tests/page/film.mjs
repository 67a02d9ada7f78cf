// Plays a WebM film in Chromium and prints its pictures: a line of JSON with the size, the seconds and, for each time asked for,
// the red, green and blue of every element. usage: node tests/page/film.mjs SOURCE_DIR FILM.webm SECONDS...
import { readFileSync } from "node:fs";
import { launch } from "./browser.mjs";

const [source, path, ...times] = process.argv.slice(2);
const browser = await launch(source);
const page = await browser.newPage();
const told = await page.evaluate(
  async ({ data, times }) => {
    const video = document.createElement("video");
    video.muted = true;
    const came = (name) => new Promise((resolve, reject) => {
      video.addEventListener(name, resolve, { once: true });
      video.addEventListener("error", () => reject(new Error(video.error.message)), { once: true });
    });
    const loaded = came("loadeddata");
    video.src = `data:video/webm;base64,${data}`;
    await loaded;
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const pictures = [];
    for (const time of times) {
      const there = came("seeked");
      video.currentTime = time;
      // A busy machine shows the picture some time after the seek is done.
      const shown = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      await there;
      await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 500))]);
      context.drawImage(video, 0, 0);
      pictures.push([...context.getImageData(0, 0, canvas.width, canvas.height).data].filter((_, n) => n % 4 < 3));
    }
    return { width: canvas.width, height: canvas.height, seconds: video.duration, pictures };
  },
  { data: readFileSync(path).toString("base64"), times: times.map(Number) },
);
await browser.close();
console.log(JSON.stringify(told));
