import type { Page } from 'playwright-core'

/** A text on the screen with the contrast of its colour to its background. */
export type TextContrast = { readonly text: string; readonly ratio: number }

/** The contrast of every text that can be seen in a part of a page, by the colours that the browser computed (WCAG 2). */
export function contrasts(page: Page, part = 'html'): Promise<TextContrast[]> {
  return page.evaluate(`(${MEASURE})(${JSON.stringify(part)})`)
}

const MEASURE = `(inside) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const painted = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  // To read a canvas is slow, and a page has few colours.
  const known = new Map()
  const rgba = (colour) => known.get(colour) ?? known.set(colour, painted(colour)).get(colour)
  // Chromium paints a page without a ground in these colours, whatever the system colour Canvas says.
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const ground = rgba(getComputedStyle(at).backgroundColor)
      if (ground[3] === 255) return ground
    }
    return rgba(matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#ffffff')
  }
  const part = (value) => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
  const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
  return [...document.querySelectorAll(inside + ' *')].flatMap((element) => {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join('').trim()
    const text = element instanceof HTMLInputElement ? element.value || element.type : own
    if (text === '' || element.tagName === 'NOSCRIPT' || !element.checkVisibility()) return []
    return [{ text, ratio: ratio(light(rgba(getComputedStyle(element).color)), light(behind(element))) }]
  })
}`
