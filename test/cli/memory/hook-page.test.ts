import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookAnswer, pageFor } from '../../../src/cli/memory/hook-page.ts'
import { changeKept } from '../../../src/cli/memory/kept-memory.ts'
import { projectOf } from '../../../src/cli/memory/project-of.ts'
import { memoryOnDemand } from '../../../src/cli/memory/starting-page.ts'
import { keepPage, projectPage } from '../../../src/store/memory-pages.ts'
import { configFolders } from '../../support/config-folders.ts'

/** A project whose memory is this text. */
function project(page?: string) {
  const folders = configFolders()
  const data = join(folders.home, 'data')
  mkdirSync(data)
  const of = projectOf(folders.workspace)
  const write = (text: string) => keepPage(projectPage(data, of.key), text)
  if (page !== undefined) write(page)
  const place = () => ({ config: folders.load(), folders: { data } })
  return { folders, data, of, write, place }
}

describe.each(['claude', 'codex'] as const)('a session of %s', (agent) => {
  it('gets the page when it begins or is cleared, and not when it goes on', () => {
    const here = project('a page').place()
    const given = ['startup', 'clear', 'resume', 'compact'].map((source) => pageFor(agent, { id: 's', source }, here))
    expect(given).toEqual(['a page', 'a page', undefined, undefined])
  })
})

describe.each(['qwen', 'copilot'] as const)('a session of %s, which does not keep what hooks say', (agent) => {
  it('gets its own page again when it is resumed, and none if it began without', () => {
    const { write, place } = project('a page')
    expect(pageFor(agent, { id: 's', source: 'startup' }, place())).toBe('a page')
    write('another page')
    expect(pageFor(agent, { id: 's', source: 'resume' }, place())).toBe('a page')
    expect(pageFor(agent, { id: 'older', source: 'resume' }, place())).toBeUndefined()
  })
})

it('a session of Gemini CLI gets the page with its first prompt only', () => {
  const { data, place } = project('a page')
  const file = join(data, 'chat.jsonl')
  const session = { id: 's', transcript_path: file }
  expect(pageFor('gemini', session, place())).toBe('a page')
  writeFileSync(file, '{"type":"user","content":[{"text":"Hello"}]}\n')
  expect(pageFor('gemini', session, place())).toBe('a page')
  writeFileSync(file, '{"type":"user","content":[{"text":"Hello"}]}\n{"type":"gemini","content":"Hi"}\n')
  expect(pageFor('gemini', session, place())).toBeUndefined()
})

describe('nobody gets a page', () => {
  const start = { id: 's', source: 'startup' }

  it('before one is finished', () => {
    expect(pageFor('claude', start, project().place())).toBeUndefined()
  })

  it('in a sub-agent', () => {
    expect(pageFor('claude', { ...start, agent_id: 'a' }, project('a page').place())).toBeUndefined()
  })

  it('where the memory is off', () => {
    const { folders, place } = project('a page')
    folders.user('memory: false\n')
    expect(pageFor('claude', start, place())).toBeUndefined()
    expect(memoryOnDemand(place())).toBeUndefined()
  })

  it('in a project for which the user has switched it off', () => {
    const { data, of, place } = project('a page')
    changeKept(data, of, (kept) => ({ ...kept, isOn: false }))
    expect(pageFor('qwen', start, place())).toBeUndefined()
    expect(memoryOnDemand(place())).toBeUndefined()
  })
})

it('a page is JSON in the form of each agent', () => {
  expect(JSON.parse(hookAnswer('copilot', '"a"\n'))).toEqual({ additionalContext: '"a"\n' })
  expect(JSON.parse(hookAnswer('claude', 'a'))).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'a' },
  })
})
