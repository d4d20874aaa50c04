import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../../src/engine/compact/compact.ts'
import { appended, logOf } from '../../../../src/engine/context/view/log.ts'
import { promptsOf } from '../../../../src/engine/record/prompts/prompts-of.ts'
import type { PolicyPatch } from '../../../../src/model/policy/policy.ts'
import type { Message } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, modelSaying, result, user } from '../../../support/messages.ts'

const { summary: SECTIONS, warm: WARM, update: UPDATE } = promptsOf('pith')

/** Answers of providers and models that are not summaries. */
const NO_SUMMARIES: readonly (readonly [what: string, text: string])[] = [
  ['a refusal', 'I am sorry, but I cannot help with that request.'],
  [
    'a long refusal',
    "I'm sorry, but I'm not able to continue with this conversation. It appears to include material that I can't assist with. If you have another question about your code or a different project you would like help with, please let me know and I'll be happy to take a look. Thank you for understanding!",
  ],
  ['a refusal in German', 'Es tut mir leid, aber dabei kann ich nicht helfen. Stelle gern eine andere Frage.'],
  ['a refusal in French', 'Je suis désolé, mais je ne peux pas répondre à cette demande.'],
  ['a refusal in Russian', 'Извините, но я не могу помочь с этим запросом.'],
  ['a refusal in Chinese', '抱歉，我无法协助完成这个请求。如果您有其他问题，请随时告诉我。'],
  ['a refusal in Japanese', '申し訳ありませんが、そのリクエストにはお応えできません。'],
  ['a refusal in Arabic', 'عذرًا، لا يمكنني المساعدة في هذا الطلب.'],
  ['an error', 'Error: 529 overloaded_error'],
  ['an error in JSON', '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
  [
    'an error page',
    '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx</body></html>',
  ],
  ['an echo of the directive', `${WARM}\n\n${SECTIONS}`],
  ['an echo of the sections', SECTIONS],
  ['an echo with a remark', `Here is what I was asked to do:\n\n${SECTIONS}\n\nI will do that now.`],
  ['an echo of the update', UPDATE],
  ['empty sections', '## Goal\nThe user wants to reach their goal.\n\n## Done\nThe work was done as requested.'],
]

const asked = (i: number) =>
  [
    `Please make the parser in src/parse/line-${i}.ts faster and keep the public interface stable.`,
    `Mach bitte den Zerteiler in src/parse/line-${i}.ts schneller und lass die Schnittstelle unverändert.`,
    `请让 src/parse/line-${i}.ts 里的解析器更快，并保持公共接口不变。`,
  ][i % 3] ?? ''

/** Work on files in three languages, with `output` lines each. */
function work(steps: number, output: number): Message[] {
  return Array.from({ length: steps }, (_, i): Message[] => [
    user(asked(i)),
    call(`${i}`, 'edit', { path: `src/parse/line-${i}.ts`, text: `export function parseLine${i}() {}` }),
    result(`${i}`, 'one more line of output\n'.repeat(output), 'edit'),
    assistant(`I changed parseLine${i} in src/parse/line-${i}.ts; its tests pass.`),
  ]).flat()
}

const compacted = (text: string, messages: readonly Message[], contextWindow: number, policy: PolicyPatch = {}) =>
  compact({ log: logOf(messages), model: { contextWindow }, policy, summaryModels: [modelSaying(text)] })

const windows = fc.constantFrom(4_000, 16_000, 64_000, 200_000, 2_000_000)
const sizes = fc.constantFrom([4, 1], [8, 20], [20, 60], [60, 5])

describe('an answer that is not a summary', () => {
  it.each(NO_SUMMARIES)('is refused, and a digest with the reason replaces it: %s', async (_, text) => {
    await fc.assert(
      fc.asyncProperty(windows, sizes, async (window, [steps = 4, output = 1]) => {
        const done = await compacted(text, work(steps, output), window)
        if (!done.compacted) return expect(done.outcome).toBe('skipped')
        expect(done).toMatchObject({
          rung: 'digest',
          refusal: expect.stringMatching(/instruction|too short|next to nothing/),
        })
        const attempt = done.entries.find((entry) => entry.type === 'attempt')
        expect(attempt).toMatchObject({ outcome: 'failed', reason: done.refusal })
        expect(JSON.stringify(done.messages)).not.toContain(JSON.stringify(text).slice(1, -1))
      }),
      { numRuns: full ? 40 : 4 },
    )
  })

  it('is accepted by a policy that has no rung after it', async () => {
    for (const preset of ['keen', 'koda', 'agent', 'kit'] as const) {
      const policy: PolicyPatch = { preset, ...(preset === 'kit' ? { keepTokens: 500 } : {}) }
      const text = 'I am sorry, but I cannot help with that request.'
      expect(await compacted(text, work(20, 20), 32_000, policy)).toMatchObject({
        compacted: true,
        summary: expect.stringContaining(text),
      })
    }
  })
})

describe('a summary', () => {
  it.each([
    [
      'with a few names',
      '## Goal\nA faster parser.\n\n## Done\n`parseLine1` and `parseLine2`, in line-1.ts and line-2.ts.',
    ],
    [
      'in another language',
      '## 目标\n解析器更快，公共接口不变。\n\n## 完成\nparseLine0、parseLine1、parseLine2 已修改。',
    ],
    [
      'of a part of the work',
      '## In progress\nOnly src/parse/line-3.ts, src/parse/line-4.ts, src/parse/line-5.ts are open.',
    ],
  ])('is taken: %s', async (_, text) => {
    expect(await compacted(text, work(20, 20), 16_000)).toMatchObject({ rung: 'cold', summary: text })
  })

  it('of a talk without names is taken in the language of the talk, and at length in any other', async () => {
    const talk = Array.from({ length: 40 }, (_, i) => [
      user(`Wie wollen wir das Wochenende verbringen, wenn es regnet? Vorschlag ${i}: ein Museum oder ein Konzert.`),
      assistant('Das Museum ist trocken und das Konzert beginnt erst am Abend. '.repeat(6)),
    ]).flat()
    const german = 'Es geht um das Wochenende: bei Regen ein Museum oder ein Konzert, je nach Vorschlag.'
    const english = 'They plan two free days and want to stay dry. '.repeat(30)
    const long = english
      .split('. ')
      .map((sentence, i) => `${sentence} ${i}`)
      .join('. ')
    expect(await compacted(german, talk, 8_000)).toMatchObject({ rung: 'cold' })
    expect(await compacted(long, talk, 8_000)).toMatchObject({ rung: 'cold' })
    expect(await compacted('I cannot help with that.', talk, 8_000)).toMatchObject({ rung: 'digest' })
  })

  it('far too short for a long span is refused although it names a file', async () => {
    const done = await compacted('Done: src/parse/line-1.ts, line-2.ts, line-3.ts.', work(60, 400), 200_000)
    expect(done).toMatchObject({ rung: 'digest', refusal: expect.stringContaining('far too short for') })
  })
})

/** A session about the module of a made-up shop, and summaries of it in three languages. */
function shop(word: string): { messages: Message[]; summaries: readonly string[] } {
  const files = ['Cart', 'Price', 'Order', 'Stock', 'Mail', 'Login'].map((part) => ({
    path: `lib/${word}/${part.toLowerCase()}-${word}.py`,
    name: `update${part}In${word}`,
  }))
  const messages = files.flatMap(({ path, name }, i) => [
    user(`Please make ${name} in ${path} faster, and keep README.md and package.json as they are.`),
    call(`${i}`, 'edit', { path, text: `def ${name}(): pass` }),
    result(`${i}`, 'one more line of output\n'.repeat(60), 'edit'),
    assistant(`I changed ${name}; npm test passes.`),
  ])
  const said = (sentence: (path: string, name: string) => string) =>
    files.map(({ path, name }) => sentence(path, name)).join('\n')
  const summaries = [
    `## Goal\nFaster functions; README.md stays.\n\n## Done\n${said((path, name) => `- \`${name}\` in ${path}; \`npm test\` passes`)}`,
    `## Ziel\nSchnellere Funktionen; README.md bleibt, „so wie sie heute in der Ablage liegt“.\n\n${said((path, name) => `- ${name} in ${path} ist fertig`)}`,
    `## 目标\n函数更快，README.md不变。\n\n${said((path, name) => `- 修改了${path}中的${name}，测试通过。`)}`,
  ]
  return { messages, summaries }
}

describe('the names in a summary', () => {
  const [own, other] = [shop('tulip'), shop('walrus')]

  it.each(['English', 'German', 'Chinese'].map((language, i) => [language, i] as const))(
    'decide whether it is about this session or another one: %s',
    async (_, i) => {
      expect(await compacted(own.summaries[i] ?? '', own.messages, 8_000)).toMatchObject({ rung: 'cold' })
      const done = await compacted(other.summaries[i] ?? '', own.messages, 8_000)
      expect(done).toMatchObject({
        rung: 'digest',
        refusal: expect.stringMatching(/^most names in the answer occur nowhere in this session \(\d+ of \d+\)$/),
      })
      expect(JSON.stringify(done)).not.toContain('walrus')
    },
  )

  it('make it one of this session although it says nothing in the words of the user', async () => {
    const columns = assistant('The table has the columns lru, ttl, fd2 and gc1.')
    const summary =
      'Offen sind noch die folgenden Spalten: `lru`, `ttl`, `fd2` sowie `gc1`; sonst bleibt nichts zu tun.'
    expect(await compacted(summary, [user('ok'), columns, ...own.messages], 8_000)).toMatchObject({ rung: 'cold' })
  })

  it('decide nothing if they are few, or if the session itself has hardly any', async () => {
    const known = 'Faster functions: updateCartInTulip, updatePriceInTulip and updateMailInTulip are done'
    const few = `${known}; walrusOne, walrusTwo, walrusThree, walrusFour, walrusFive and walrusSix are next.`
    expect(await compacted(few, own.messages, 8_000)).toMatchObject({ rung: 'cold' })
    const talk = Array.from({ length: 40 }, (_, i) => [
      user(`How shall we spend the weekend if it rains? Idea ${i}: a museum or a concert.`),
      assistant('The museum is dry, and the concert begins in the evening. '.repeat(6)),
    ]).flat()
    const invented = `The weekend with rain: a museum or a concert. ${other.summaries[0]}`
    expect(await compacted(invented, talk, 8_000)).toMatchObject({ rung: 'cold' })
  })

  it('may come from an earlier summary', async () => {
    const earlier = { ...compaction({ upTo: 2 }), summary: other.summaries[0] ?? '' }
    const log = appended(logOf([...own.messages, ...shop('tulips').messages]), [earlier])
    const models = [modelSaying(other.summaries[0] ?? '')]
    const done = await compact({ log, model: { contextWindow: 8_000 }, summaryModels: models })
    expect(done).toMatchObject({ rung: 'cold' })
  })

  it('are not looked up by a policy that does not verify', async () => {
    const summary = `After updateCartInTulip, updatePriceInTulip and updateMailInTulip: ${other.summaries[0]}`
    expect(await compacted(summary, own.messages, 8_000, { verify: false })).toMatchObject({ rung: 'cold' })
    expect(await compacted(summary, own.messages, 8_000)).toMatchObject({ rung: 'digest' })
  })
})
