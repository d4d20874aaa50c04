import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentAnswer } from './agent-model.ts'
import type { Asked } from './asked.ts'
import type { Client } from './client.ts'

/** Each part of the work is read, changed and checked. A turn does some of the parts. */
const PARTS = 42
const PARTS_A_TURN = 7
export const PRICED_TURNS = PARTS / PARTS_A_TURN
const STEPS_A_PART = 3
const READ_CHARACTERS = 24_000
const EDIT_CHARACTERS = 2_000
const CHECK_CHARACTERS = 6_000

/** The length of the summaries that agents' own models wrote in recorded sessions. */
export const OWN_SUMMARY_CHARACTERS = 12_000
/** The thousand words that Pith's directive asks for. */
export const ASKED_SUMMARY_CHARACTERS = 6_500

/** A model that lets an agent read, change and check files in several turns, and what it saw. */
export type PricedWork = {
  readonly brain: (asked: Asked) => AgentAnswer
  /** The turn that the agent was asked for last. */
  turn: number
}

type PricedWorkOptions = {
  readonly workspace: () => string
  /** The length of the summaries that the model writes for Pith. */
  readonly pithCharacters: number
}

/** The same work for every agent and in every mode. */
export function pricedWork({ calls }: Client, { workspace, pithCharacters }: PricedWorkOptions): PricedWork {
  const work: PricedWork = { brain, turn: 0 }
  let step = 0
  return work

  function brain(asked: Asked): AgentAnswer {
    const isOurs = asked.messages.at(-1)?.includes('This message is from the program') === true
    if (isOurs || asked.isSummary) {
      const done = { turn: work.turn, parts: Math.floor(step / STEPS_A_PART) }
      const own = summary(done, OWN_SUMMARY_CHARACTERS)
      return { text: isOurs ? summary(done, pithCharacters) : `<summary>${own}</summary>` }
    }
    const isWork = asked.tools.includes(calls.shell('').name) && asked.messages.some((each) => each.includes('[turn '))
    if (!isWork) return { text: 'A title.' }
    if (step >= work.turn * PARTS_A_TURN * STEPS_A_PART) return { text: `Turn ${work.turn} is done.` }
    const part = Math.floor(step / STEPS_A_PART) + 1
    const kind = step++ % STEPS_A_PART
    if (kind === 0) return { text: `I read part ${part}.`, calls: [calls.shell(`cat src/part-${part}.js`)] }
    if (kind === 2) return { text: `I check part ${part}.`, calls: [calls.shell(`node check.js ${part}`)] }
    const path = join(workspace(), 'src', `part-${part}-total.js`)
    return { text: `I write the total of part ${part}.`, calls: [calls.write(path, code(part, EDIT_CHARACTERS))] }
  }
}

/** The files that the work is about. */
export function putPricedFiles(workspace: string): void {
  mkdirSync(join(workspace, 'src'))
  for (let part = 1; part <= PARTS; part++)
    writeFileSync(join(workspace, 'src', `part-${part}.js`), code(part, READ_CHARACTERS))
  writeFileSync(join(workspace, 'check.js'), CHECK)
}

const CHECK = `const [, , part] = process.argv
let text = ''
for (let i = 1; text.length < ${CHECK_CHARACTERS}; i++) text += 'ok ' + i + ' - part ' + part + ' counts the rows of kind ' + (i * part) + '\\n'
console.log(text + '# fail 0')
`

/** Lines as in a program, different in each part. */
function code(part: number, characters: number): string {
  let text = ''
  for (let i = 1; text.length < characters; i++)
    text += `export const rows${part}x${i} = (table) => table.filter(({ kind }) => kind === ${part * i}).map(({ price${i} }) => price${i} * ${i + part})\n`
  return text.slice(0, characters)
}

/** The words of a model about the parts that are done. */
function summary({ turn, parts }: { turn: number; parts: number }, characters: number): string {
  let text = `The user wants the total of each part, and said: [turn ${turn}] Write the total of the next parts. `
  // Sentences that come twice would be refused: models that repeat themselves have lost their way.
  for (let i = 0; text.length < characters; i++) {
    const part = (i % Math.max(1, parts)) + 1
    text += `src/part-${part}.js has rows${part}x${i + 1}; its total is in src/part-${part}-total.js, and check ${i + 1} of it passed. `
  }
  return text.slice(0, characters)
}
