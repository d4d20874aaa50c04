import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeText, WRITABLE_FORMATS } from '../../../src/formats/index.ts'
import { shellWord } from '../../../src/model/text.ts'
import { pith } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { runWorld } from '../../support/run-world.ts'
import { scriptedBrain } from '../../support/scripted-brain.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures/formats')

describe('pith compact', () => {
  it('prints the summary, then the numbers before and after, and changes nothing', async () => {
    const { stdout, stderr, code } = await pith(configFolders(), ['compact', 'example', '--offline'])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toContain('## Now\n')
    expect(stdout).toMatch(
      /\n\n✓ Compacted \d+ messages\n {2}Tokens: \d+ → \d+ \(saved \d+\)\n {2}digest, without a model/,
    )
  })

  it('makes a digest without a model, and says so and what to set', async () => {
    const { stdout, stderr, code } = await pith(configFolders(), ['compact', 'example'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^The summary is a digest of the log · no model: set ANTHROPIC_API_KEY/)
    expect(stdout).toContain('✓ Compacted')
  })

  it('says that a digest does not follow a focus', async () => {
    const { stderr, code } = await pith(configFolders(), ['compact', 'example', '--offline', '--focus', 'ports'])
    expect({ stderr, code }).toEqual({
      stderr: '  The focus changed nothing: only a summary by a model follows it\n',
      code: 0,
    })
  })

  it('takes a record in a list that it wrote as an earlier summary: its words are kept, and are not the user’s', async () => {
    const folders = configFolders()
    const file = join(folders.workspace, 'list.json')
    const first = await pith(folders, ['compact', 'example', '--offline', '--to', 'anthropic', '--out', file])
    expect(first).toMatchObject({ code: 0 })
    const { stdout } = await pith(folders, ['compact', file, '--offline', '--budget', '2000', '--json'])
    const { index, messages } = JSON.parse(stdout)
    const FIRST = 'Uploads larger than 5 MB fail now and then'
    expect(JSON.stringify(index.users)).not.toContain(FIRST)
    const [before = '', after = ''] = JSON.stringify(messages[0]).split('## Earlier')
    expect(before).not.toContain(FIRST)
    expect(after).toContain(FIRST)
  })

  it('gives the whole result as JSON', async () => {
    const result = JSON.parse((await pith(configFolders(), ['compact', 'example', '--offline', '--json'])).stdout)
    expect(result).toMatchObject({
      outcome: 'compacted',
      compacted: true,
      rung: 'digest',
      tokensBefore: expect.any(Number),
      tokensAfter: expect.any(Number),
      messagesRemoved: expect.any(Number),
      cut: expect.any(Number),
      summary: expect.stringContaining('Current state'),
      index: { files: expect.any(Array), users: expect.any(Array) },
      verification: { invented: [], checked: expect.any(Number) },
      timings: { readMs: expect.any(Number), compactMs: expect.any(Number) },
    })
    expect(result.messages.length).toBeLessThan(130)
    expect(result.modifiedFiles).toContain('src/upload.ts')
  })

  it('makes the result fit a budget', async () => {
    for (const budget of [1_500, 6_000]) {
      const args = ['compact', 'example', '--offline', '--json', '--budget', String(budget)]
      const { tokensAfter, compacted } = JSON.parse((await pith(configFolders(), args)).stdout)
      expect(compacted).toBe(true)
      expect(tokensAfter).toBeLessThanOrEqual(budget)
    }
  })

  it('makes the result fit a budget with what comes after --at, or says that it cannot and writes nothing', async () => {
    const folders = configFolders()
    const args = ['compact', 'example', '--offline', '--at', '40', '--json']
    const small = ['--budget', '500', '--out', join(folders.workspace, 'out.json')]
    const { code, stderr } = await pith(folders, [...args, ...small])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^A budget of 500 tokens cannot be met, .+ or a later place for --at\n$/),
    })
    expect(existsSync(join(folders.workspace, 'out.json'))).toBe(false)
    // Without a budget the record alone would be larger than what these leave for it.
    const { tokensAfter } = JSON.parse((await pith(folders, args)).stdout)
    const tight = await pith(folders, [...args, '--budget', String(tokensAfter - 400)])
    expect(tight.code).toBe(0)
    expect(JSON.parse(tight.stdout).tokensAfter).toBeLessThanOrEqual(tokensAfter - 400)
  })

  it('summarises everything before a message, and keeps everything from there on', async () => {
    const folders = configFolders()
    const run = async (at: string) =>
      JSON.parse((await pith(folders, ['compact', 'example', '--offline', '--json', '--at', at])).stdout)
    const whole = JSON.parse((await pith(folders, ['export', 'example', '--to', 'ai-sdk'])).stdout)
    const { messages } = await run('63')
    expect(messages.slice(-68)).toEqual(whole.slice(62))
    expect(JSON.stringify(messages.slice(0, -68))).toContain('Uploads larger than 5 MB')
    // Message 64 calls, 65 is the result: the pair is not separated.
    expect((await run('65')).messages.slice(-67)).toEqual(whole.slice(63))
  })

  it.each(WRITABLE_FORMATS)('writes the result as %s into a new file that reads as the same', async (format) => {
    const folders = configFolders()
    const file = join(folders.workspace, format === 'markdown' ? 'out.md' : 'out.json')
    const { stdout, code } = await pith(folders, ['compact', 'example', '--offline', '--to', format, '--out', file])
    expect(code).toBe(0)
    expect(stdout).toContain(`Written to ${file}\n`)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('Uploads larger than 5 MB')
    if (format === 'markdown') return expect(text).toContain('## So far')
    const read = decodeText(text)
    if (!read.ok) return expect.unreachable(read.text)
    expect(read.session.format).toBe(format)
    expect(read.session.issues).toEqual([])
  })

  it('continues with what it wrote, if the folder of the session is on another machine', async () => {
    const folders = configFolders()
    const file = join(folders.workspace, 'far.jsonl')
    writeFileSync(
      file,
      readFileSync(join(FIXTURES, 'claude-code.jsonl'), 'utf8').replaceAll(/"cwd":"[^"]*"/g, '"cwd":"/no/such"'),
    )
    const out = join(folders.workspace, 'out.jsonl')
    const { stdout } = await pith(folders, [
      'compact',
      file,
      '--offline',
      '--budget',
      '3000',
      '--to',
      'pi',
      '--out',
      out,
    ])
    expect(stdout).toContain(
      `To continue in this folder: pith handoff ${shellWord(out)} --to pi. On the machine that has /no/such:`,
    )
  })

  it('never writes over a file', async () => {
    const folders = configFolders()
    const file = join(folders.workspace, 'mine.md')
    writeFileSync(file, 'mine')
    const { stderr, stdout, code } = await pith(folders, ['compact', 'example', '--offline', '--out', file])
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: `pith: ${file} exists already: name a new file, Pith overwrites none\n`,
      code: 1,
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it('lets a model write the summary, with what the user wants kept', async () => {
    const summary =
      'The uploads in `src/upload.ts` were mended: uploads larger than 5 MB fail no more. Their tests in `test/upload.test.ts` pass, and `src/retry.ts` keeps its rules.'
    const world = await runWorld({ brain: scriptedBrain({ steps: [], summary: { text: summary } }) })
    const { stdout, code } = await world.here('compact', 'example', '--focus', 'the retry rules')
    expect(code).toBe(0)
    expect(stdout).toContain(summary)
    expect(stdout).toContain('by local/main · $')
    expect(JSON.stringify(world.server.requests[0]?.request)).toContain('the retry rules')
    expect(world.server.violations).toEqual([])
  })

  it.each([
    ['compact', ['compact', 'example', '--out', 'out.json', '--model', 'local/main']],
    ['handoff', ['handoff', 'example', '--to', 'pi', '--model', 'local/main']],
  ])('%s writes nothing if its policy has only the model, and that fails', async (_, args) => {
    const brain = scriptedBrain({ steps: [], summary: { text: '' } })
    const world = await runWorld({ brain, config: 'policy: { preset: keen }' })
    const { code, stdout, stderr } = await world.here(...args)
    expect({ code, said: stdout + stderr }).toEqual({ code: 1, said: expect.stringContaining('Compaction failed: ') })
    expect(stdout + stderr).not.toMatch(/written|delete this one file/i)
    expect(existsSync(join(world.workspace, 'out.json'))).toBe(false)
  })

  it('is cancelled by Ctrl+C: nothing is written', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const brain = () => {
      resolve()
      return new Promise<never>(() => {})
    }
    const world = await runWorld({ brain })
    const out = join(world.workspace, 'out.md')
    const { child, ended } = world.start(['compact', 'example', '--out', out])
    await asked
    child.kill('SIGINT')
    const { code, stdout } = await ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: 'Compaction cancelled.\n' })
    expect(existsSync(out)).toBe(false)
  })

  it('refuses a model that was named and cannot be asked', async () => {
    const { stdout, stderr, code } = await pith(configFolders(), [
      'compact',
      'example',
      '--model',
      'anthropic/claude-sonnet-4-5',
    ])
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 })
    expect(stderr).toMatch(/^pith: .*ANTHROPIC_API_KEY.*\n$/)
  })

  it('appends the compaction to one of our sessions, which diff then shows', async () => {
    const folders = configFolders()
    const { id } = JSON.parse((await pith(folders, ['import', 'example', '--json'])).stdout)
    expect((await pith(folders, ['diff', id])).stderr).toBe(
      `pith: session ${id} was never compacted: use pith compact\n`,
    )
    expect((await pith(folders, ['compact', id, '--offline'])).stdout).toContain('✓ Compacted')
    const lines = (await pith(folders, ['diff', id])).stdout.split('\n')
    expect(lines[0]).toMatch(/^compaction #132: 130 messages, [\d,]+ tokens → \d+ messages, [\d,]+ tokens$/)
    expect(lines[1]).toMatch(/^- #1 +\d+ {2}user: Uploads larger than 5 MB/)
    expect(lines).toContain('+ ## Now')
    expect(lines.at(-2)).toMatch(/^ {2}#130 /)
    const { before, after } = JSON.parse((await pith(folders, ['diff', id, '--json'])).stdout)
    expect(before).toHaveLength(130)
    expect(after[0].kind).toBe('summary')
    const handed = join(folders.workspace, 'handed.jsonl')
    await pith(folders, ['export', id, '--to', 'claude-code', '--out', handed])
    expect((await pith(folders, ['diff', handed])).stdout).toMatch(
      /^compaction #\d+: the session does not show what it replaced( \(a context of [\d,]+ tokens\))? → 1 message, /,
    )
  })

  it.each([
    ['the file of an agent that was continued in a new one', {}, ''],
    ['one that has the size of the context before', { preTokens: 160_000 }, ' (a context of 160,000 tokens)'],
  ])('diff says that a session does not show what its summary replaced: %s', async (_, compactMetadata, size) => {
    const folders = configFolders()
    const file = join(folders.workspace, 'continued.jsonl')
    const line = { sessionId: 's', cwd: '/w', version: '2.1.325', timestamp: '2026-11-19T10:00:00.000Z' }
    const summary = { role: 'user', content: 'This session is being continued from a previous conversation.' }
    const lines = [
      { ...line, type: 'system', subtype: 'compact_boundary', uuid: 'a', parentUuid: null, compactMetadata },
      { ...line, type: 'user', uuid: 'b', parentUuid: 'a', isCompactSummary: true, message: summary },
      { ...line, type: 'user', uuid: 'c', parentUuid: 'b', message: { role: 'user', content: 'And now?' } },
    ]
    writeFileSync(file, lines.map((each) => JSON.stringify(each)).join('\n'))
    const { stdout } = await pith(folders, ['diff', file])
    expect(stdout.split('\n')[0]).toMatch(/ → 1 message, \d+ tokens$/)
    expect(stdout.split(' → ')[0]).toBe(`compaction #1: the session does not show what it replaced${size}`)
  })
})
