import type { Message } from '../../model/types.ts'
import { exactNames } from '../truth/names.ts'
import { messageShown } from '../truth/needed.ts'

/** The number of files, URLs and hashes named in a context, and those of them that are not in its source. */
export type Named = { readonly named: number; readonly invented: readonly string[] }

export function inventedIn(context: readonly Message[], source: string): Named {
  const text = context.map(messageShown).join('\n')
  const names = new Set([...filesIn(text), ...exactNames('url', text), ...exactNames('hash', text)])
  // A path of Windows may have other signs.
  const known = source.replaceAll('\\', '/')
  const invented = [...names].filter((name) => !isIn(known, name))
  return { named: names.size, invented }
}

/** The text of a whole conversation. */
export function wholeText(messages: readonly Message[]): string {
  return messages.map(messageShown).join('\n')
}

/** Words that look like a file: a name with an extension of letters, or a path with one. Links and numbers do not count. */
function filesIn(text: string): string[] {
  const words = text.match(/[\w/@.%+~-]+/g) ?? []
  // A change in a diff begins with a sign that is no part of a name. A pattern for all of a path would take minutes for a picture as text.
  const bare = words.filter((word) => word.length <= LONG_PATH).map((word) => word.replace(/^[+-]+|\.+$/g, ''))
  return bare.filter((name) => FILE.test(name) && !/%|^\/\/|^www\b/.test(name))
}

const LONG_PATH = 300
const FILE =
  /[\w@+-]\.(?:[cm]?[jt]sx?|json[lc]?|mdx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|ya?ml|toml|ini|cfg|conf|env|lock|sql|html?|css|scss|vue|svelte|txt|csv|xml|svg|png|jpe?g|pdf|log|ipynb|proto|tf|lua|dart|exs?|mod|sum)$/i

/** Of a path the last name and the last folder are enough: an agent may have been in another folder. */
function isIn(source: string, name: string): boolean {
  if (source.includes(name)) return true
  if (!name.includes('/') || /^https?:/.test(name)) return false
  const [last = '', folder = ''] = name.split('/').toReversed()
  const isKnown = [`${folder}/`, `/${folder}`, `cd ${folder}`].some((form) => source.includes(form))
  return source.includes(last) && (isKnown || /^[.~]*$/.test(folder))
}
