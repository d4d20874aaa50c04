import {
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
import { note, print, valueText } from '../../output/show.ts'

/** Sets a value in the user file, and prints a note when another source overrides it. */
export function setConfig(key: string, value: string): void {
  setUserValue(key, value)
  print(`Set ${printable(key)} in ${printable(userFile())}`)
  const others = findValues(loadConfig().effective(), key).filter(({ source }) => !source.startsWith('user file'))
  for (const { key: name, source } of others.slice(0, 1))
    note(`${printable(name)} still comes from ${printable(source)}, which overrides the user file`)
}

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
