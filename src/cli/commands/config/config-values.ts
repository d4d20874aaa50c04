import { existsSync } from 'node:fs'
import {
  type Config,
  type ConfigInput,
  type EffectiveValue,
  findValues,
  findWorkspace,
  loadConfig,
  projectFile,
  setUserValue,
  trustWorkspace,
  unsetUserValue,
  untrustWorkspace,
  userFile,
} from '../../../config/index.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { cellText, columns, muted, note, print, printJson, valueText } from '../../output/show.ts'
import { loadSetup, noteConfig, unknownModel } from '../../setup/setup.ts'

/** Prints every effective value and its source. */
export function listConfig(flags: ConfigInput['flags'], json?: true): void {
  const config = loadConfig({ flags })
  if (json === true) {
    const { workspace, files, untrusted } = config
    return printJson({ workspace, files, values: config.effective(), untrusted })
  }
  printValues(config.effective())
  noteConfig(config)
}

/** Prints the value of a key, or the values of a table. */
export function getConfig(key: string, flags: ConfigInput['flags'], json?: true): void {
  const config = loadConfig({ flags })
  const found = findValues(config.effective(), key)
  const [first] = found
  if (json === true) printJson(found)
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

/** Sets a value in the user file, and prints a note when another source overrides it. */
export function setConfig(key: string, value: string): void {
  setUserValue(key, value)
  print(`Set ${printable(key)} in ${printable(userFile())}`)
  const others = findValues(loadConfig().effective(), key).filter(({ source }) => !source.startsWith('user file'))
  for (const { key: name, source } of others.slice(0, 1))
    note(`${printable(name)} still comes from ${printable(source)}, which overrides the user file`)
  if (!NAMES_A_MODEL.includes(key)) return
  const unknown = unknownModel(value, loadSetup({}).models)
  if (unknown !== undefined) note(printable(unknown))
}

/** A value that nothing knows is set anyway: its provider may be configured later. */
const NAMES_A_MODEL: readonly string[] = ['model', 'fallback_model']

/** Removes a value from the user file. */
export function unsetConfig(key: string): void {
  if (!unsetUserValue(key)) throw new PithError('bad-config', `${key} is not set in ${userFile()}`)
  print(`${printable(key)} is no longer set in ${printable(userFile())}`)
}

/** Trusts the project file as it is now, and prints the values that count from now on. */
export function trust(): void {
  const { workspace, untrusted, files } = loadConfig()
  trustWorkspace(workspace)
  print(`Trusted ${printable(files.project)} as it is now`)
  const values = loadConfig().effective()
  // The values are printed uncut: the user has just allowed them.
  for (const { key, value } of untrusted.flatMap((aside) => findValues(values, aside.key)))
    print(`  ${printable(key)}: ${valueText(value)}`)
}

/** Takes the trust back. */
export function untrust(): void {
  const workspace = findWorkspace(process.cwd())
  const file = printable(projectFile(workspace))
  print(untrustWorkspace(workspace) ? `${file} is no longer trusted` : `${file} was not trusted`)
}
