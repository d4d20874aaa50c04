import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findSessionFiles } from '../../../src/cli/sessions/find-session-files.ts'
import { makeOpencodeDatabase } from '../../support/opencode-database.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pith-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
})

/** Finds sessions after files with these names were put into the home. */
function found(names: readonly string[], env: Record<string, string> = {}) {
  for (const name of names) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), 'x')
  }
  return findSessionFiles({ HOME: home, ...env })
    .map(({ format, id }) => `${format} ${id}`)
    .toSorted()
}

const UUID = '22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb'

describe('the session files of this machine', () => {
  it.each([
    ['.claude/projects/-repo/s1.jsonl', 'claude-code s1'],
    ['.config/claude/projects/-repo/s1.jsonl', 'claude-code s1'],
    [`.codex/sessions/2026/01/02/rollout-2026-01-02T00-00-00-${UUID}.jsonl`, `codex ${UUID}`],
    ['.codex/archived_sessions/rollout-1.json', 'codex rollout-1'],
    ['.pi/agent/sessions/--repo--/2026-01-01_s1.jsonl', 'pi s1'],
    ['.pi/agent/sessions/s1.jsonl', 'pi s1'],
    ['.gemini/tmp/abc/chats/session-s1.json', 'gemini s1'],
    ['.gemini/tmp/abc/chats/session-s1.jsonl', 'gemini s1'],
    ['.copilot/session-state/s1.jsonl', 'copilot s1'],
    ['.copilot/session-state/s1/events.jsonl', 'copilot s1'],
  ])('%s is %s', (name, session) => {
    expect(found([name])).toEqual([session])
  })

  it.each([
    '.claude/projects/-repo/agent-1.jsonl',
    '.claude/projects/-repo/s1/deeper.jsonl',
    '.claude/projects/-repo/s1.json',
    '.claude/projects/-repo/s1.jsonl.bak',
    '.claude/projects/s1.jsonl',
    '.codex/sessions/old-rollout-1.jsonl',
    '.codex/sessions/rollout-1.jsonl.bak',
    '.pi/agent/sessions/s1.jsonl.bak',
    '.gemini/tmp/abc/chats/session-s1.json.bak',
    '.gemini/tmp/a/b/chats/session-s1.json',
    '.copilot/session-state/s1.jsonl.bak',
    '.copilot/session-state/a/s1/events.jsonl',
    '.copilot/session-state/s1/events.jsonl.bak',
    '.codex/sessions/history.jsonl',
    '.pi/agent/sessions/s1.txt',
    '.gemini/tmp/abc/session-s1.json',
    '.gemini/tmp/abc/chats/s1.json',
    '.copilot/session-state/s1/other.jsonl',
  ])('%s is none', (name) => {
    expect(found([name])).toEqual([])
  })

  it.each([
    ['CLAUDE_CONFIG_DIR', 'projects/-repo/s1.jsonl', 'claude-code s1'],
    ['XDG_CONFIG_HOME', 'claude/projects/-repo/s1.jsonl', 'claude-code s1'],
    ['CODEX_HOME', 'sessions/rollout-s1.jsonl', 'codex rollout-s1'],
    ['CODEX_HOME', 'archived_sessions/rollout-s1.jsonl', 'codex rollout-s1'],
    ['PI_CODING_AGENT_DIR', 'sessions/s1.jsonl', 'pi s1'],
    ['GEMINI_CLI_HOME', '.gemini/tmp/abc/chats/session-s1.json', 'gemini s1'],
    ['COPILOT_HOME', 'session-state/s1.jsonl', 'copilot s1'],
  ])('are at the path in %s: %s', (variable, name, session) => {
    expect(found([`elsewhere/${name}`], { [variable]: join(home, 'elsewhere') })).toEqual([session])
  })

  it('are those of opencode, where XDG_DATA_HOME points or in the home', () => {
    const info = { id: 's1', directory: '/repo', title: 'T', time: { created: 1, updated: 2 } }
    for (const at of ['.local/share', 'data'])
      makeOpencodeDatabase(join(home, at, 'opencode/opencode.db'), { info, messages: [] })
    expect(found([])).toEqual(['opencode s1'])
    expect(found([], { XDG_DATA_HOME: join(home, 'data') })).toEqual(['opencode s1'])
  })

  it('are looked for at the path of an agent’s variable, and there only', () => {
    const names = [
      '.codex/sessions/rollout-1.jsonl',
      'a,b/sessions/rollout-2.jsonl',
      'g/.gemini/tmp/x/chats/session-3.json',
    ]
    const env = { CODEX_HOME: join(home, 'a,b'), GEMINI_CLI_HOME: join(home, 'g') }
    expect(found(names, env)).toEqual(['codex rollout-2', 'gemini 3'])
  })

  it('are looked for in each folder that Claude Code’s variable names, once', () => {
    const names = [
      'a/projects/x/s1.jsonl',
      'b/projects/x/s2.jsonl',
      '.claude/projects/x/s3.jsonl',
      'c/claude/projects/x/s4.jsonl',
    ]
    const dirs = `${join(home, 'a')}, ${join(home, 'b')}`
    expect(found(names, { CLAUDE_CONFIG_DIR: dirs, XDG_CONFIG_HOME: join(home, 'c') })).toEqual([
      'claude-code s1',
      'claude-code s2',
    ])
    expect(found([], { CLAUDE_CONFIG_DIR: '', XDG_CONFIG_HOME: join(home, 'c') })).toEqual([
      'claude-code s3',
      'claude-code s4',
    ])
  })
})
