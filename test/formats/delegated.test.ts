import { expect, it } from 'vitest'
import { decoded, fixture } from './fixture.ts'

/** A fixture with this in place of that. */
function changed(name: string, what: string, by: string): string {
  const text = fixture(name)
  expect(text).toContain(what)
  return text.replaceAll(what, by)
}

it.each([
  ['claude -p', changed('claude-code.jsonl', '"isSidechain":false', '"isSidechain":false,"entrypoint":"sdk-cli"')],
  [
    'the SDK of Claude Code',
    changed('claude-code.jsonl', '"isSidechain":false', '"isSidechain":false,"entrypoint":"sdk-ts"'),
  ],
  ['codex exec', changed('codex.jsonl', '"source":"cli"', '"source":"exec"')],
  ['a sub-agent of Codex', changed('codex.jsonl', '"source":"cli"', '"source":{"subagent":"review"}')],
  ['a sub-agent of opencode', changed('opencode.json', '"slug": "quiet-river"', '"parentID": "ses_0"')],
  ['a sub-agent of Gemini CLI', changed('gemini.json', '"kind": "main"', '"kind": "subagent"')],
])('%s: another program gave the orders', (_, text) => {
  expect(decoded(text).isDelegated).toBe(true)
})

it.each([
  ['Claude Code', fixture('claude-code.jsonl')],
  [
    'Claude Code in a terminal',
    changed('claude-code.jsonl', '"isSidechain":false', '"isSidechain":false,"entrypoint":"cli"'),
  ],
  ['Codex', fixture('codex.jsonl')],
  ['opencode', fixture('opencode.json')],
  ['pi', fixture('pi-v3.jsonl')],
  ['Gemini CLI', fixture('gemini.json')],
])('%s: a person gave them', (_, text) => {
  expect(decoded(text).isDelegated ?? false).toBe(false)
})

it('Codex records the address of the repository', () => {
  const git = '"source":"cli","git":{"repository_url":"git@github.com:lake/heron.git"}'
  expect(decoded(changed('codex.jsonl', '"source":"cli"', git)).repository).toBe('git@github.com:lake/heron.git')
  expect(decoded(fixture('codex.jsonl')).repository).toBeUndefined()
})
