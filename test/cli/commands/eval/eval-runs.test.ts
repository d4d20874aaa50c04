import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRunning } from '../../../../src/agent/processes/process-table.ts'
import { REPORT_ROWS } from '../../../../src/eval/figures.ts'
import { KIND_NAMES } from '../../../../src/eval/kit/kinds.ts'
import type { EvalReport } from '../../../../src/eval/run-eval.ts'
import { featureEstimator } from '../../../../src/tokens/estimate/feature-estimator.ts'
import { pith } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

const SMALL = ['--made', '1', '--window', '6k', '--target', '2k', '--rounds', '2', '--no-baselines']
const TRUNCATE = resolve(import.meta.dirname, '../../../../examples/eval/truncate.ts')

describe('pith eval', () => {
  it('measures a module and a program, writes the same report twice, and keeps times apart', async () => {
    const user = configFolders()
    writeFileSync(
      join(user.workspace, 'tail.mjs'),
      `let text = ''
       for await (const piece of process.stdin) text += piece
       const { messages } = JSON.parse(text)
       console.log(JSON.stringify(messages.filter(({ role }) => role === 'user').slice(-3)))`,
    )
    const program = `${process.execPath} tail.mjs`
    const args = ['eval', ...SMALL, '--compactor', TRUNCATE, '--compactor', program]
    const first = await pith(user, [...args, '--out', 'one'])
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('report.html') })
    expect(first.stdout).toContain('truncate')
    await pith(user, [...args, '--out', 'two'])
    const read = (folder: string, file: string) => readFileSync(join(user.workspace, folder, file), 'utf8')
    for (const file of ['report.json', 'report.html']) expect(read('two', file)).toBe(read('one', file))
    const { compactors } = JSON.parse(read('one', 'report.json'))
    expect(compactors).toMatchObject([
      { failures: [] },
      { failures: [] },
      { name: 'plain selection', isBaseline: true },
    ])
    expect(compactors[0].rounds[0].figures).toMatchObject({ tokens: expect.any(Number), cost: expect.any(Number) })
    expect(Object.keys(compactors[0].rounds[0].parts)).toEqual(expect.arrayContaining(['facts', 'rules', 'ledger']))
    expect(Object.keys(JSON.parse(read('one', 'times.json')))).toEqual(['truncate', program, 'plain selection'])
  })

  it.each([
    ['printf hi', '60', 'printf hi wrote no JSON: hi'],
    ['echo it broke >&2; exit 3', '60', 'it broke >&2; exit 3 ended with 3: it broke'],
    ['yes', '60', 'the answer is longer than 64 MB'],
    ['sleep 4321 & echo $! > pid; wait', '1', 'no answer within 1 seconds'],
  ])(
    'says why the program "%s" failed within %s s, measures nothing of it, and leaves no process',
    async (program, seconds, why) => {
      const user = configFolders()
      const args = ['eval', ...SMALL, '--rounds', '1', '--timeout', seconds, '--compactor', program]
      const { stdout, code } = await pith(user, args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(why) })
      expect(stdout).toMatch(/^valid +fail: 4 of 4 providers +pass$/m)
      const pid = join(user.workspace, 'pid')
      // A killed process is still in the table for a moment.
      if (existsSync(pid)) await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false)
    },
  )

  it('prints a block for each round with its rows, and the parts of the rows only if asked', async () => {
    const user = configFolders()
    const args = ['eval', ...SMALL, '--compactor', TRUNCATE]
    const { stdout } = await pith(user, args)
    expect(stdout.match(/^After \d compactions?: 1 session, made up, seeds 1 to 1$/gm)).toHaveLength(2)
    for (const row of Object.keys(REPORT_ROWS)) expect(stdout).toMatch(new RegExp(`^${row} `, 'm'))
    expect(stdout).toMatch(/^Headline: .* after 2 compactions$/m)
    expect(stdout).not.toContain('oldest quarter')
    expect((await pith(user, [...args, '--rows', 'all'])).stdout).toMatch(/^ +facts, oldest quarter +\d/m)
  })

  it('measures made-up and recorded sessions together, and other windows and targets as a curve', async () => {
    const user = configFolders()
    const folder = join(user.workspace, 'own')
    mkdirSync(folder)
    await pith(user, ['export', 'example', '--to', 'pith', '--out', join(folder, 'session.jsonl')])
    const sizes = ['--window', '6k', '--target', '2k', '--rounds', '1', '--no-baselines']
    const args = ['eval', ...sizes, '--sessions', folder, '--compactor', TRUNCATE, '--json']
    const { sets, compactors } = JSON.parse((await pith(user, [...args, '--made', '1'])).stdout)
    expect(sets.map(({ name }: { name: string }) => name)).toEqual(['made up, seeds 1 to 1', 'recorded'])
    expect(compactors[0].rounds.map(({ set }: { set: string }) => set)).toEqual(['made up, seeds 1 to 1', 'recorded'])
    const { curve } = JSON.parse((await pith(user, [...args, '--curve'])).stdout)
    const points = curve.map(({ settings }: EvalReport) => [settings.windowTokens, settings.targetTokens])
    expect(points).toEqual([
      [64_000, 8_000],
      [64_000, 16_000],
      [200_000, 28_000],
      [200_000, 60_000],
    ])
  })

  it('leaves out what is no session, and says what that was', async () => {
    const user = configFolders()
    const folder = join(user.workspace, 'mixed')
    mkdirSync(join(folder, 'folder.jsonl'), { recursive: true })
    writeFileSync(join(folder, 'binary.jsonl'), Buffer.from([0, 1, 2, 255, 254]))
    writeFileSync(join(folder, 'other.json'), '{"a":1}')
    writeFileSync(join(folder, 'cut.json'), '[1,')
    symlinkSync('/nowhere', join(folder, 'broken.jsonl'))
    const all = await pith(user, ['eval', '--sessions', 'mixed'])
    expect(all).toMatchObject({ code: 2, stderr: expect.stringContaining('no session is long enough') })
    expect(all.stderr).toContain('binary.jsonl')
  })

  it('takes a blind test from questions to marks by two judges, with readers who recall twice before they answer', async () => {
    const user = configFolders()
    const both = ['--compactor', 'pith', '--compactor', TRUNCATE]
    // Short scenes, so that the small window has requests in it.
    writeFileSync(join(user.workspace, 'short.json'), '{"scenes":[[1,"rule read edit done"]]}')
    const args = [
      'eval',
      'readers',
      'kit',
      ...SMALL,
      '--rounds',
      '3',
      ...both,
      '--with-recall',
      '--forms',
      'short.json',
    ]
    const kit = join(user.workspace, 'kit')
    expect((await pith(user, args)).stdout).toContain('waiting for questions')
    expect(readdirSync(kit)).toEqual(['questions'])
    answerAll(kit, () =>
      JSON.stringify(Object.fromEntries(KIND_NAMES.map((kind) => [kind, { question: `${kind}?`, truth: 'yes' }]))),
    )
    let found = ''
    let request: RegExpExecArray | null = null
    for (const round of [1, 2, 3]) {
      expect((await pith(user, args)).stdout, String(round)).toContain('waiting for answers')
      answerAll(kit, (prompt, system) => {
        found = /<recalled [\s\S]*<\/recalled>/.exec(prompt)?.[0] ?? found
        if (!system.includes('tool `recall`')) return '<user>little</user>'
        request = /(#\d+) \(the last request here\) (.+)/.exec(prompt)
        const call = ['no-such-words', request?.[1]][prompt.split('<recalled ').length - 1]
        return call === undefined ? '<user>much</user>' : `<recall>\n${call}\n</recall>`
      })
    }
    expect(found).toMatch(/^<recalled call="no-such-words">\nNothing was found /)
    // A handle of the third record, in a log that has two compactions before it.
    const [, handle, words] = request ?? []
    expect(found).toContain(`<recalled call="${handle}">\n${handle} (user)`)
    expect(found).toContain(words)
    expect((await pith(user, args)).stdout).toContain('waiting for marks')
    expect(readdirSync(kit).toSorted()).toEqual([
      'contexts.json',
      'judge-1',
      'judge-2',
      'questions',
      'seat-01',
      'seat-02',
      'seat-03',
    ])
    answerAll(kit, (prompt) =>
      JSON.stringify(
        Object.fromEntries(
          [...prompt.matchAll(/<answer (\w+)>\n(\w+)/g)].map(([, letter, word]) => [
            letter,
            { mark: word === 'much' ? 5 : 1 },
          ]),
        ),
      ),
    )
    const { stdout, code } = await pith(user, args)
    expect(code).toBe(0)
    expect(stdout).toContain('sessions: 1, read after compaction 3')
    expect(stdout).toMatch(/^pith minus truncate: 0\.00/m)
    expect(stdout).toMatch(/^pith minus pith with recall: -4\.00/m)
    expect(stdout).toContain('two judges of one answer are 0.00 apart')
    const { rows } = JSON.parse(readFileSync(join(kit, 'readers.json'), 'utf8'))
    const [plain, recalling] = rows
    expect(rows).toMatchObject([{ compactor: 'pith' }, { compactor: 'pith with recall' }, { compactor: 'truncate' }])
    expect(plain.recallTokens).toBeUndefined()
    expect(recalling.contextTokens).toBe(plain.contextTokens)
    const definition = recalling.recallTokens - featureEstimator.text(found)
    expect(definition).toBeGreaterThan(50)
    expect(definition).toBeLessThan(300)
    expect(stdout).toMatch(new RegExp(`^pith with recall +${plain.contextTokens} +${recalling.recallTokens} `, 'm'))
    expect(stdout).toMatch(new RegExp(`^pith +${plain.contextTokens} +– `, 'm'))
  })

  it('leaves sessions that are too short out of a blind test by name, and says when none is left', async () => {
    const user = configFolders()
    const folder = join(user.workspace, 'own')
    mkdirSync(folder)
    await pith(user, ['export', 'example', '--to', 'pith', '--out', join(folder, 'short.jsonl')])
    writeFileSync(join(folder, 'other.json'), '{"a":1}')
    const args = ['eval', 'readers', 'kit', '--compactor', 'pith', '--compactor', TRUNCATE, '--sessions', folder]
    const sizes = ['--window', '6k', '--target', '2k']
    const some = await pith(user, [...args, ...sizes, '--made', '1'])
    expect(some).toMatchObject({ code: 0, stdout: expect.stringContaining('questions: 1 missing') })
    expect(some.stderr).toMatch(/left out: short\.jsonl: too short, [123] of 4 compactions/)
    expect(some.stderr).toContain('left out: other.json: ')
    const none = await pith(user, [...args, ...sizes])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('long enough for 4 compactions') })
    const fewer = await pith(user, [...args, ...sizes, '--rounds', '1'])
    expect(fewer).toMatchObject({ code: 0, stderr: expect.not.stringContaining('short.jsonl') })
    expect(fewer.stdout).toContain('questions: 1 missing')
  })
})

function answerAll(kit: string, answer: (prompt: string, system: string) => string): void {
  for (const file of readdirSync(kit, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.request.json'),
  )) {
    const path = join(kit, file.replace('.request.json', '.answer.txt'))
    if (existsSync(path)) continue
    const { prompt, system } = JSON.parse(readFileSync(join(kit, file), 'utf8'))
    writeFileSync(path, answer(prompt, system))
  }
}
