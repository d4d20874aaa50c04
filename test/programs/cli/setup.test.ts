import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { needsScript, shell } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'

type Outcome = { readonly said: string; readonly isOn: boolean }

/** `script` gives the program a terminal; what is typed is in its input. */
function answered(answer: string): Outcome {
  return typed(`printf '${answer}\\n' | script -qec '"$NODE" "$MAIN" setup pi' /dev/null`)
}

/** The output of a line on a machine that has pi, and whether Pith is in pi's settings then. */
function typed(line: string): Outcome {
  const folders = configFolders()
  const bin = join(folders.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'pi'), '#!/bin/sh\necho 1.2.3\n')
  chmodSync(join(bin, 'pi'), 0o755)
  const PATH = [bin, dirname(process.execPath), '/bin', '/usr/bin'].join(delimiter)
  const { stdout } = shell(folders, line, { PATH })
  return { said: stdout, isOn: existsSync(join(folders.home, '.pi/agent/settings.json')) }
}

it('pith setup asks in a terminal, and changes nothing without a yes', (test) => {
  needsScript(test)
  const refused = answered('n')
  expect(refused.said).toContain('Change this file? [y/N]')
  expect(refused.said).toContain('Nothing was changed.')
  expect(refused.isOn).toBe(false)
  const agreed = answered('y')
  expect(agreed.said).toContain('+++ ')
  expect(agreed.isOn).toBe(true)
})

it('pith setup makes its change when the reader of the diff is gone', () => {
  const { said, isOn } = typed(
    `exec 3>&1; { "$NODE" "$MAIN" setup pi --yes 2>/dev/null; echo "exit code $?" >&3; } | true`,
  )
  expect(said).toBe('exit code 0\n')
  expect(isOn).toBe(true)
})
