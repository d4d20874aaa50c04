/** A file that a message may name. A path without `@` counts only when it is an image: people drop those on a terminal. */
export type NamedFile = { readonly path: string; readonly mustBeImage: boolean }

const MENTION = /(?<=^|[\s(])@(?:"([^"\n]+)"|(\S+))/g
const IMAGE_PATH = /(?<=^|\s)(?:'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s'"@\\])(?:\\.|[^\s\\])*))(?=\s|$)/g
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i

/** The files that a message names, each once, in their order. */
export function namedFiles(text: string): NamedFile[] {
  const mentions = [...text.matchAll(MENTION)].map(([, quoted, plain = '']) => ({
    path: quoted ?? withoutPunctuation(plain),
    mustBeImage: false,
  }))
  const images = [...text.matchAll(IMAGE_PATH)]
    .map(([, single, double, plain = '']) => single ?? double ?? unescaped(plain))
    .map((path) => (path.startsWith('file://') ? decoded(path.slice('file://'.length)) : path))
    .filter((path) => IMAGE_NAME.test(path))
    .map((path) => ({ path, mustBeImage: true }))
  const all = new Map([...images, ...mentions].map(({ path, mustBeImage }) => [path, mustBeImage]))
  return [...all].filter(([path]) => path !== '').map(([path, mustBeImage]) => ({ path, mustBeImage }))
}

/** A sentence may end behind a name. */
function withoutPunctuation(path: string): string {
  return path.replace(/[.,;:!?)\]]+$/, '')
}

/** A terminal writes a dropped file as a shell would want it. */
function unescaped(path: string): string {
  return path.replace(/\\(.)/g, '$1')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
