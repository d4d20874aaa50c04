import { dirname } from 'node:path'
import { type Document, isCollection, visit } from 'yaml'
import { PithError } from '../../model/problems/errors.ts'
import { checkProgramTable, valueFromText } from '../read/from-text.ts'
import { userFile } from '../read/load-config.ts'
import { parseConfigDocument, parseConfigText, readConfigText } from '../read/read-config-file.ts'
import { valuesOf } from '../values-of.ts'
import { writePrivate } from './write-private.ts'

/** Sets a value in the user's file and keeps its comments. A wrong value is refused and not written. */
export function setUserValue(key: string, value: string, env: NodeJS.ProcessEnv = process.env): void {
  const file = userFile(env)
  const text = readConfigText(file) ?? ''
  // The file is checked first: otherwise its own errors would look like errors of the change.
  parseConfigText(text, { file, source: '', folder: dirname(file) })
  const document = parseConfigDocument(text, file)
  refuseAliases(document, file)
  const path = key.split('.')
  for (const outer of path.slice(1).map((_, index) => path.slice(0, index + 1))) {
    // `policy:` with nothing under it is not a table yet.
    if (document.hasIn(outer) && !isCollection(document.getIn(outer, true))) document.deleteIn(outer)
  }
  document.setIn(path, valueFromText(key, value))
  const where = () => `cannot set ${key}`
  checkProgramTable(key, valuesOf(document.toJS(), { source: '', folder: dirname(file), where }), where)
  writePrivate(file, textOf(document))
}

/** Removes a value from the user's file; false if it was not set there. The file is not checked first, because people use this to fix it. */
export function unsetUserValue(key: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const file = userFile(env)
  const document = parseConfigDocument(readConfigText(file) ?? '', file)
  refuseAliases(document, file)
  const path = key.split('.')
  if (!document.hasIn(path)) return false
  document.deleteIn(path)
  writePrivate(file, textOf(document))
  return true
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 })
}

/** Refuses to change a file with aliases of YAML: a change of one key could change another one, or leave it without its value. */
function refuseAliases(document: Document.Parsed, file: string): void {
  visit(document, {
    Alias(_, { source }) {
      throw new PithError('bad-config', `${file} uses an alias (\`*${source}\`): change it in an editor`)
    },
  })
}
