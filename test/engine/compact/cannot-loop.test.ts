import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact/compact.ts'
import { estimatorOf } from '../../../src/engine/context/measure/calibration.ts'
import { nextEntry } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { validate } from '../../../src/engine/context/view/validate.ts'
import { extendView, viewOf } from '../../../src/engine/context/view/view-of.ts'
import { policyOf } from '../../../src/model/policy/presets.ts'
import { type Entry, type Message, type SummaryModel, type Usage, uncounted } from '../../../src/model/types.ts'
import { budgetOf } from '../../../src/tokens/budget.ts'
import { charactersByFour, messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import { status } from '../../../src/tokens/status.ts'
import { type Asked, FAILING_MODELS } from '../../support/failing-models.ts'
import { full } from '../../support/full.ts'
import { liveHeap } from '../../support/live-heap.ts'
import { assistant, call, modelSaying, result, user } from '../../support/messages.ts'
import { excessIn, unreadAfter } from '../../support/within-bounds.ts'

const TURNS = full ? 5_000 : 40
const TURN_MS = 20_000
const window = 8_000
const model = { contextWindow: window }
const estimator = charactersByFour
const policy = policyOf()
const { growth, trigger = 0, target = 0 } = budgetOf(policy, window)

const good = modelSaying('## Goal\nTo get on.\n\n## Done\n- Some of it.')
const CASES: readonly { does: string; answer: 'refused' | 'data'; models: number; make: () => Asked }[] = [
  ...FAILING_MODELS.map(({ does, answer, make }) => ({ does, answer, make, models: 1 })),
  {
    does: 'does what it is asked',
    answer: 'data',
    models: 1,
    make: () => {
      good.requests.length = 0
      return { summaryModels: [good], calls: () => good.requests.length }
    },
  },
  { does: 'fails like the one behind it', answer: 'refused', models: 2, make: twoThatFail },
]

describe(`a session of ${TURNS} turns in a window of ${window} tokens`, () => {
  it.each(CASES)('never loops, stops or overflows with a model that $does', async ({ does, answer, models, make }) => {
    const { calls, ...asked } = make()
    const heapBefore = full ? liveHeap() : 0
    const session = new Session({ ...asked, summaryModels: asked.summaryModels?.map(roomy) })
    for (let turn = 0; turn < TURNS; turn++) await session.turn(turn)
    const { changes, said, largest } = session
    // The memory in use grows with the log, not with the number of its folds.
    const heap = full ? liveHeap() - heapBefore : 0
    expect(heap).toBeLessThanOrEqual(3 * session.logCharacters() + 20_000_000)
    console.info(`A model that ${does}: ${TURNS} turns, ${changes} compactions, ${calls()} model calls, ${heap} bytes`)
    expect(session.requests).toBeGreaterThanOrEqual(2 * TURNS)
    expect(largest).toBeLessThanOrEqual(window)
    expect(session.smallestGrowth).toBeGreaterThanOrEqual(growth)
    // At most one compaction a growth step, at most one try of each model a compaction.
    expect(changes).toBeLessThanOrEqual(said / growth)
    expect(calls()).toBeLessThanOrEqual(changes * models)
    // From the trigger down to the target: on average a compaction takes away more than half of that.
    expect(changes).toBeLessThanOrEqual((2 * said) / (trigger - target))
    if (answer === 'data') return
    const rests = Math.ceil((TURNS * TURN_MS) / policy.breakerCooldownMs)
    expect(calls()).toBeLessThanOrEqual((policy.breakerFailures + rests) * models)
    expect(calls()).toBeLessThan((changes * models) / 2 || 1)
  })
})

it('a session that compacts at ends of work grows between two of them, too', async () => {
  const early = { endOfWorkPercent: 80 }
  const floor = budgetOf(policyOf(early), window).endOfWorkTrigger ?? 0
  expect(floor).toBeGreaterThan(target + growth)
  const session = new Session({ policy: early, summaryModels: [roomy(modelSaying('## Goal\nTo get on.'))] })
  for (let turn = 0; turn < TURNS; turn++) await session.turn(turn)
  expect(session.changes).toBeGreaterThan(5)
  expect(session.smallestGrowth).toBeGreaterThanOrEqual(growth)
  expect(session.changes).toBeLessThanOrEqual(session.said / growth)
})

describe('a provider that counts more than we know of', () => {
  it.each<[string, Counting]>([
    ['twice as much', { factor: 2, more: 0 }],
    ['a system prompt that we do not know', { factor: 1, more: 0.6 * window }],
  ])('(%s) does not make a session loop: it waits for growth', async (_, counting) => {
    const summariser = roomy(modelSaying('## Goal\nTo get on.'))
    const session = new Session({ summaryModels: [summariser], estimator: undefined }, counting)
    for (let turn = 0; turn < (full ? 100 : 30); turn++) await session.turn(turn)
    expect(session.changes).toBeGreaterThan(5)
    expect(session.smallestGrowth * counting.factor).toBeGreaterThanOrEqual(growth)
  })
})

/** The tokens that a provider reports for one of our tokens, and for the parts that we do not see. */
type Counting = { readonly factor: number; readonly more: number }

/** An agent that compacts by itself before each request, if it is due. */
class Session {
  readonly #log: Entry[] = []
  readonly #asked: Partial<CompactInput>
  readonly #random = random(7)
  readonly #counting: Counting | undefined
  #view = viewOf([])
  #now = 0
  #grown = Number.POSITIVE_INFINITY
  requests = 0
  changes = 0
  said = 0
  largest = 0
  smallestGrowth = Number.POSITIVE_INFINITY

  constructor(asked: Partial<CompactInput>, counting?: Counting) {
    this.#asked = asked
    this.#counting = counting
  }

  logCharacters(): number {
    return this.#log.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0)
  }

  async turn(turn: number): Promise<void> {
    this.#now += TURN_MS
    const asked = user(`turn ${turn}: ${words(10 + this.#random(100))}`)
    this.#say(asked)
    // Also when it is not due: then it has to say so, and to ask no model.
    if (turn % 60 === 0) await this.#compact()
    const steps = 1 + this.#random(2)
    for (let step = 0; step < steps; step++) {
      const id = `t${turn}s${step}`
      await this.#request(asked)
      this.#say(call(id, 'bash', { command: `run ${turn % 30}` }))
      const huge = this.#random(60) === 0
      this.#say(result(id, words(huge ? 2 * window : 20 + this.#random(400)), 'bash'))
    }
    await this.#request(asked)
    this.#say(assistant(`I finished turn ${turn} and ${words(this.#random(60))}`))
  }

  /** An agent does this before it asks its model. */
  async #request(asked: Message): Promise<void> {
    const due = status({ view: this.#view, model, estimator }).tokens >= trigger
    if (due) await this.#compact()
    const { tokens } = status({ view: this.#view, model, estimator })
    this.requests++
    this.largest = Math.max(this.largest, tokens)
    const { messages } = requestOf(this.#view)
    if (validate(messages).length > 0) throw new Error(validate(messages)[0]?.text)
    if (!messages.includes(asked)) throw new Error('what the user asked last is not there')
  }

  async #compact(): Promise<void> {
    const clock = () => this.#now
    const measure = 'estimator' in this.#asked ? estimatorOf(policy, this.#log, model) : estimator
    const done = await compact({ log: this.#log, model, estimator, reason: 'threshold', clock, ...this.#asked })
    this.#log.push(...done.entries)
    this.#view = done.view
    if (!done.compacted) return
    this.smallestGrowth = Math.min(this.smallestGrowth, this.#grown)
    const excess = excessIn(done, { model, estimator: measure })
    if (excess !== undefined) throw new Error(JSON.stringify(excess))
    // The part that is unread now will have been read by the next time.
    this.#grown = unreadAfter(done, { estimator: measure })
    this.changes++
  }

  #say(message: Message): void {
    const usage = message.role === 'assistant' ? this.#usage(message) : undefined
    const draft = { type: 'message', message, ...(usage === undefined ? {} : { usage }) } as const
    const entry = nextEntry(this.#log, draft, { clock: () => this.#now })
    this.#log.push(entry)
    this.#view = extendView(this.#view, entry, this.#log)
    const tokens = messageTokens(message, estimator)
    this.#grown += tokens
    this.said += tokens
  }

  /** The usage that the provider reports for the request that this message answers. */
  #usage(message: Message): Usage | undefined {
    if (this.#counting === undefined) return undefined
    const { factor, more } = this.#counting
    const sent = status({ view: uncounted(this.#view), model, estimator }).tokens
    const answered = messageTokens(message, estimator)
    return { inputTokens: Math.ceil(sent * factor + more), outputTokens: Math.ceil(answered * factor) }
  }
}

/** A try of a model with room for all is one call. */
function roomy(model: SummaryModel): SummaryModel {
  return { ...model, window: 1_000_000 }
}

function twoThatFail(): Asked {
  const models = [{ ...modelSaying(''), name: 'test/cheap' }, modelSaying('')] as const
  return { summaryModels: models, calls: () => models[0].requests.length + models[1].requests.length }
}

function words(tokens: number): string {
  return 'a word, '.repeat(tokens / 2)
}

/** Numbers from 0 up to a limit, the same in every run. */
function random(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
