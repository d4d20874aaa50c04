import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeText } from '../../../src/formats/index.ts'
import { pith, pithProcess } from '../../support/cli.ts'
import { closedPath } from '../../support/closed-path.ts'
import { configFolders } from '../../support/config-folders.ts'

/** The file that the command says it has written. */
function writtenIn(stderr: string): string {
  return /^To undo, delete this one file: (.+)$/m.exec(stderr)?.[1] ?? ''
}

const AGENTS = [
  ['claude-code', 'home/.claude/projects/', /^claude --resume [0-9a-f-]{36}\n$/],
  ['codex', 'home/.codex/sessions/', /^codex resume [0-9a-f-]{36}\n$/],
  ['pi', 'home/.pi/agent/sessions/', /^pi --session (?:\S+\.jsonl|'[^']+\.jsonl')\n$/],
] as const

describe('pith handoff', () => {
  it('still has its former name, which the help does not show', async () => {
    const at = configFolders()
    const former = await pith(at, ['hand-on', 'example', '--to', 'pi', '--offline'])
    expect(former).toMatchObject({ stdout: expect.stringMatching(/^pi --session /), code: 0 })
    for (const args of [['--help'], ['handoff', '--help']]) {
      const { stdout } = await pith(at, args)
      expect([stdout.includes('handoff [options]'), stdout.includes('hand-on')]).toEqual([true, false])
    }
  })

  it.each(AGENTS)('puts a session where %s looks for it and prints the one command', async (agent, place, command) => {
    const at = configFolders()
    const { stdout, stderr, code } = await pith(at, ['handoff', 'example', '--to', agent, '--offline'])
    expect({ stdout, code }).toEqual({ stdout: expect.stringMatching(command), code: 0 })
    const file = writtenIn(stderr)
    expect(file).toContain(place)
    const read = decodeText(readFileSync(file, 'utf8'))
    expect(read).toMatchObject({ ok: true, session: { format: agent, workspace: at.workspace } })
    expect(stderr).toMatch(/Compacted \d+ messages/)
  })

  it('takes the folder of another project, and the agent’s own folder from its variable', async () => {
    const at = configFolders()
    const project = join(at.home, 'other project')
    mkdirSync(project)
    const own = join(at.home, 'codex')
    const args = ['handoff', 'example', '--to', 'codex', '--offline', '--folder', project]
    const { stdout, stderr } = await pith(at, args, { CODEX_HOME: own })
    expect(stdout.replace(/\S+\n$/, 'ID')).toBe(`cd '${realpathSync(project)}' && codex resume ID`)
    expect(writtenIn(stderr).startsWith(own)).toBe(true)
    const [meta] = readFileSync(writtenIn(stderr), 'utf8').split('\n')
    expect(JSON.parse(meta ?? '')).toMatchObject({ payload: { cwd: project, cli_version: '0.166.0' } })
  })

  it('runs the agent in the folder, with its exit code', async () => {
    const at = configFolders()
    const bin = join(at.home, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\npwd\necho "$@"\nexit 7\n', { mode: 0o755 })
    const args = ['handoff', 'example', '--to', 'claude-code', '--offline', '--run']
    const { stdout, code } = pithProcess(at, args, { PATH: `${bin}:${process.env.PATH}` })
    expect(code).toBe(7)
    expect(stdout.replace(/[0-9a-f-]{36}/, 'ID')).toBe(`${at.workspace}\n--resume ID\n`)
  })

  it.each([
    [['--to', 'gemini'], 2, /Allowed choices are claude-code, codex, pi/],
    [[], 2, /--to/],
    [['--to', 'pi', '--folder', '/no/such/folder'], 1, /there is no folder \/no\/such\/folder/],
  ])('refuses %j and writes nothing', async (args, status, why) => {
    const at = configFolders()
    const { stderr, code } = await pith(at, ['handoff', 'example', ...args])
    expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(why), code: status })
    expect(['.claude', '.codex', '.pi'].some((name) => existsSync(join(at.home, name)))).toBe(false)
  })

  it('says so when the agent is not installed, and leaves the file to undo', async () => {
    const at = configFolders()
    const args = ['handoff', 'example', '--to', 'pi', '--offline', '--run']
    for (const PATH of ['/nowhere', closedPath()]) {
      const { stderr, code } = await pith(at, args, { PATH })
      expect(code).toBe(1)
      expect(stderr).toContain('pith: pi cannot be run: `pi` is not on the PATH\n')
      expect(existsSync(writtenIn(stderr))).toBe(true)
    }
  })
})
