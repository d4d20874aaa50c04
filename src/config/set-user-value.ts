import { dirname } from 'node:path'
import { type Document, isCollection } from 'yaml'
import { FORMER_KEYS, withoutFormerKeys } from './former-keys.ts'
import { valueFromText } from './from-text.ts'
import { userFile } from './load-config.ts'
import { parseConfigDocument, parseConfigText, readConfigText } from './read-config-file.ts'
import { valuesOf } from './values-of.ts'
import { writePrivate } from './write-private.ts'

/** Sets a value in the user's file and keeps its comments. A wrong value is refused, and nothing is written. */
export function setUserValue(
  key: string,
  text: string,
  env: NodeJS.ProcessEnv = process.env,
  formerKeys: readonly string[] = FORMER_KEYS,
): void {
  const { file, document } = openUserFile(env, formerKeys)
  const path = key.split('.')
  for (const outer of path.slice(1).map((_, index) => path.slice(0, index + 1))) {
    // `policy:` with nothing under it is not a table yet.
    if (document.hasIn(outer) && !isCollection(document.getIn(outer, true))) document.deleteIn(outer)
  }
  document.setIn(path, valueFromText(key, text))
  // Former keys that the file has may stay, but none is set.
  const others = formerKeys.filter((former) => former !== key)
  valuesOf(withoutFormerKeys(document.toJS(), others).table, {
    source: '',
    folder: dirname(file),
    where: () => `cannot set ${key}`,
  })
  writePrivate(file, textOf(document))
}

/** Removes a value from the user's file; false when it was not set there. */
export function unsetUserValue(key: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const { file, document } = openUserFile(env, FORMER_KEYS)
  const path = key.split('.')
  if (!document.hasIn(path)) return false
  document.deleteIn(path)
  writePrivate(file, textOf(document))
  return true
}

/** Checks the file first: otherwise its own errors would look like errors of the change. */
function openUserFile(env: NodeJS.ProcessEnv, formerKeys: readonly string[]): { file: string; document: Document } {
  const file = userFile(env)
  const text = readConfigText(file) ?? ''
  parseConfigText(text, { file, source: '', folder: dirname(file) }, formerKeys)
  return { file, document: parseConfigDocument(text, file) }
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 })
}
