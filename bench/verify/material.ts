/** The parts that made-up names are made of: the folders, files, words, objects, identifiers and sentences of a text. */
export type Material = Readonly<
  Record<'folders' | 'files' | 'words' | 'objects' | 'identifiers' | 'sentences', readonly string[]>
>

export function materialOf(text: string): Material {
  const paths = allOf(text, /\b[a-z][\w-]+(?:\/[\w.-]+)+\/[\w-]+\.(?:tsx?|go|py|md)\b/g)
  return {
    folders: [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))],
    files: [...new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))],
    words: allOf(text, /\b[a-z]{4,9}\b/g),
    objects: allOf(text, /\b[a-z]\w{2,12}(?=\.[a-z]\w+\()/g),
    identifiers: allOf(text, /\b[a-z]{3,12}[A-Z][a-z]{3,12}\b/g),
    sentences: allOf(text, /(?<=^|\. )[A-Z][a-z]+(?: [a-z]+){6,10}(?=\.)/gm),
  }
}

function allOf(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([found]) => found))]
}
