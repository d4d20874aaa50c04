import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NEEDED_NODE, nodeComplaint } from '../../src/cli/node-version.ts'

const root = resolve(import.meta.dirname, '../..')

describe('an old Node', () => {
  it('is distinguished from one that will do', () => {
    expect(['22.19.0', '22.20.1', '24.0.0', '100.0.0'].map(nodeComplaint)).toEqual(Array(4).fill(undefined))
    for (const old of ['18.20.4', '20.20.2', '22.18.9', '21.99.0']) {
      expect(nodeComplaint(old)).toBe(
        `Node 22.19 or later is needed, this is ${old}: install Node 24 and run the same command again`,
      )
    }
  })

  it('is measured against what package.json says', () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(engines.node).toBe(`>=${NEEDED_NODE}`)
  })

  it('gets one line from the installed command, not a stack trace', (test) => {
    const node = oldNode()
    if (node === undefined) return test.skip('there is no Node older than 22.19 in the path')
    const { stdout, stderr, status } = spawnSync(node, [installedMain(), 'config'], { encoding: 'utf8' })
    expect(stderr).toMatch(/^pith: Node 22\.19 or later is needed, this is [\d.]+: [^\n]+\n$/)
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 })
  })

  it('is reported by the tests, too, when they are started without npm', (test) => {
    const node = oldNode()
    if (node === undefined) return test.skip('there is no Node older than 22.19 in the path')
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const { stdout, stderr } = spawnSync(node, [vitest, 'run', 'test/engine/plan/plan.test.ts'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stdout + stderr).toContain('Node 22.19 or later is needed')
    expect(stdout + stderr).not.toContain('Map.groupBy')
  })
})

function oldNode(): string | undefined {
  const nodes = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  return nodes.find((node) => {
    const { stdout, status } = spawnSync(node, ['--version'], { encoding: 'utf8' })
    return status === 0 && nodeComplaint(stdout.trim().slice(1)) !== undefined
  })
}

/** The two files of the package that an old Node gets to see. */
function installedMain(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-installed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const name of ['main', 'node-version']) {
    const code = stripTypeScriptTypes(readFileSync(join(root, 'src', 'cli', `${name}.ts`), 'utf8'))
    writeFileSync(join(folder, `${name}.js`), code.replaceAll(".ts'", ".js'"))
  }
  return join(folder, 'main.js')
}
