// Looks at pictures: decodes the PNG of a screenshot inside the browser and counts pixels.

/** RGBA bytes of a region of the page, as { width, height, data }. */
export async function grab(page, selector = "#canvas") {
  const png = await page.locator(selector).screenshot();
  const { width, height, text } = await page.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    // As text: arrays of numbers take seconds to hand over.
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let k = 0; k < data.length; k += 32768) text += String.fromCharCode(...data.subarray(k, k + 32768));
    return { width: image.width, height: image.height, text: btoa(text) };
  }, png.toString("base64"));
  return { width, height, data: Buffer.from(text, "base64") };
}

export function count(image, wanted) {
  let found = 0;
  for (let k = 0; k < image.data.length; k += 4) if (wanted(image.data[k], image.data[k + 1], image.data[k + 2])) ++found;
  return found;
}

/** Warm and clearly not grey: strands in their natural colour. */
export const warm = (r, g, b) => r > 90 && r > g + 12 && g > b + 18;
/** Saturated green or red-orange: contacts that stick or slide. */
export const green = (r, g, b) => g > 110 && g > r + 40 && g > b + 25;
export const blue_green = (r, g, b) => b > r + 25 && g > r && b > 60;

/** Mean x of the wanted pixels, NaN without any. */
export function mean_x(image, wanted) {
  let sum = 0;
  let found = 0;
  for (let k = 0; k < image.data.length; k += 4)
    if (wanted(image.data[k], image.data[k + 1], image.data[k + 2])) {
      sum += (k / 4) % image.width;
      ++found;
    }
  return sum / found;
}

function differ(p, q, k) {
  return Math.abs(p.data[k] - q.data[k]) + Math.abs(p.data[k + 1] - q.data[k + 1]) + Math.abs(p.data[k + 2] - q.data[k + 2]) > 40;
}

export function difference(p, q) {
  let found = 0;
  for (let k = 0; k < Math.min(p.data.length, q.data.length); k += 4) if (differ(p, q, k)) ++found;
  return found;
}

/** Mean x of the pixels that differ, NaN without any. */
export function mean_x_of_difference(p, q) {
  let sum = 0;
  for (let k = 0; k < p.data.length; k += 4) if (differ(p, q, k)) sum += (k / 4) % p.width;
  return sum / difference(p, q);
}
