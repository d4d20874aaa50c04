import { existsSync } from 'node:fs'
import {
  type Config,
  type ConfigInput,
  type EffectiveValue,
  findValues,
  findWorkspace,
  loadConfig,
  projectFile,
  userFile,
} from '../../../config/index.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { columns } from '../../output/columns.ts'
import { cellText, muted, print, printJson, valueText } from '../../output/show.ts'
import { noteConfig } from '../../setup/setup.ts'

type Form = 'text' | 'json'

/** Prints every effective value and its source. */
export function listConfig(flags: ConfigInput['flags'], form: Form): void {
  const config = loadConfig({ flags })
  if (form === 'json') {
    const { workspace, files, untrusted } = config
    return printJson({ workspace, files, values: config.effective(), untrusted })
  }
  printValues(config.effective())
  noteConfig(config)
}

/** Prints the value of a key, or the values of a table. */
export function getConfig(key: string, flags: ConfigInput['flags'], form: Form): void {
  const config = loadConfig({ flags })
  const found = findValues(config.effective(), key)
  const [first] = found
  if (form === 'json') printJson(found)
  else if (first === undefined) throw new PithError('bad-config', `${key} is not set${asideHint(config, key)}`)
  else if (found.length === 1) print(valueText(first.value))
  else printValues(found)
}

/** Prints the paths of the configuration files, whether they exist or not. */
export function configPaths(): void {
  const files = { user: userFile(), project: projectFile(findWorkspace(process.cwd())) }
  const rows = Object.entries(files).map(([name, file]) => [
    name,
    printable(file),
    existsSync(file) ? '' : muted('(not there)'),
  ])
  for (const line of columns(rows)) print(line)
}

/** Prints values, one a line, each with its source. */
export function printValues(values: readonly EffectiveValue[]): void {
  const rows = values.map(({ key, value, source }) => [printable(key), cellText(value), muted(printable(source))])
  for (const line of columns(rows)) print(line)
}

function asideHint({ untrusted }: Config, key: string): string {
  const aside = untrusted.some((value) => value.key === key || value.key.startsWith(`${key}.`))
  return aside ? ': the project file sets it, but is not trusted (pith config trust)' : ''
}
