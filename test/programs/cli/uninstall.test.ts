import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { needsScript, shell } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

/** A machine with pi set up and a setting, after `pith uninstall` was answered. `script` gives the program a terminal. */
function answered(...answers: string[]) {
  const folders = configFolders()
  const bin = join(folders.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'pi'), '#!/bin/sh\necho 1.2.3\n')
  chmodSync(join(bin, 'pi'), 0o755)
  const PATH = [bin, dirname(process.execPath), '/bin', '/usr/bin'].join(delimiter)
  folders.user('theme: dark\n')
  const line = `"$NODE" "$MAIN" setup pi --yes 2>/dev/null; printf '${answers.join('')}' | script -qec '"$NODE" "$MAIN" uninstall' /dev/null`
  const { stdout } = shell(folders, line, { PATH })
  return {
    said: stdout,
    isOn: existsSync(join(folders.home, '.pi/agent/settings.json')),
    isConfigured: existsSync(folders.userFile),
  }
}

it('pith uninstall asks about each part, and removes what was agreed to', (test) => {
  needsScript(test)
  const { said, ...left } = answered('n\\n', 'y\\n')
  expect(said).toMatch(/Remove: pi\? \[y\/N\][\s\S]*Remove: Configuration\? \[y\/N\]/)
  expect(said).toContain('Removed: Configuration')
  expect(left).toEqual({ isOn: true, isConfigured: false })
})

it('pith uninstall removes nothing if the questions are ended before the last answer', (test) => {
  needsScript(test)
  const { said, ...left } = answered('y\\n', '\\004')
  expect(said).toContain('Nothing was removed.')
  expect(said).not.toContain('unexpected error')
  expect(left).toEqual({ isOn: true, isConfigured: true })
})
