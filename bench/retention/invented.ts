import type { Message } from '../../src/engine.ts'
import { textOf } from './shown.ts'
import { namesIn } from './truth/names.ts'

/** The number of files, URLs and hashes named in a context, and those of them that are not in its source. */
export type Named = { readonly named: number; readonly invented: readonly string[] }

export function inventedIn(context: readonly Message[], source: string): Named {
  const text = context.map(textOf).join('\n')
  const names = new Set([...filesIn(text), ...namesIn('url', text), ...namesIn('hash', text)])
  const invented = [...names].filter((name) => !source.includes(name) && !source.includes(lastName(name)))
  return { named: names.size, invented }
}

/** The text of a whole conversation. */
export function sourceOf(messages: readonly Message[]): string {
  return messages.map(textOf).join('\n')
}

/** Words that look like a file: a name with an extension of letters, or a path with one. Links and numbers do not count. */
function filesIn(text: string): string[] {
  const names = text.match(/(?<![\w/.@%-])(?:[\w@.+~-]*\/)*[\w@+-][\w@.+-]*\.[A-Za-z]{1,5}(?![\w/-])/g) ?? []
  return names.filter((name) => FILE.test(name) && !/^(?:www|https?)\b/.test(name))
}

const FILE =
  /\.(?:[cm]?[jt]sx?|json[lc]?|mdx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|ya?ml|toml|ini|cfg|conf|env|lock|sql|html?|css|scss|vue|svelte|txt|csv|xml|svg|png|jpe?g|pdf|log|ipynb|proto|tf|lua|dart|exs?|mod|sum)$/i

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
