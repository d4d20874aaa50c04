import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { PithError } from '../../model/problems/errors.ts'
import { jsonProblem } from '../../model/problems/json-problem.ts'
import { issueText, keysIn, problemOf } from '../../model/problems/parse.ts'
import { unknownKey } from '../../model/problems/problem-text.ts'
import { isRecord } from '../../model/values.ts'
import AGENTS from './forms/agents.json' with { type: 'json' }
import COMMANDS from './forms/commands.json' with { type: 'json' }
import PROJECTS from './forms/projects.json' with { type: 'json' }
import STORY from './forms/story.json' with { type: 'json' }
import USERS from './forms/users.json' with { type: 'json' }

/** The slots of a text, as in `{path}`. `file` is a path as the agent's tools name it, `path` as git and people do. */
const SLOTS = `
  area ask base because change check code command commit count dir failed file hash head helper hits lines log module n name new number old
  other output passed patch path paths recent root rule source state status subject tail test text to todos who word
`.split(/\s+/)
export const SLOT = /\{([a-z]+)\}/g
/** The steps of scenes: said by the user, said by the agent, done with git, and done with other tools. */
const SHARED = ['house', 'rule', 'paste'] as const
const SAYS = ['ask', 'mixed', 'changed', 'aside', 'question', 'rename', 'takeback'] as const
const ANSWERS = ['drop', 'done', 'nothing'] as const
const GIT = ['commit', 'commitall', 'refused', 'revert', 'reset', 'uncommit', 'move', 'tidy'] as const
const WORK = ['todos', 'look', 'read', 'edit', 'miss', 'other', 'check', 'fail', 'all', 'settle'] as const
const STEPS = [...SHARED, ...SAYS, ...ANSWERS, ...GIT, ...WORK].join('|')

const text = z.string().superRefine((value, { addIssue }) => {
  const unknown = [...value.matchAll(SLOT)].map(([, slot = '']) => slot).find((slot) => !SLOTS.includes(slot))
  if (unknown !== undefined) addIssue({ code: 'custom', message: unknownKey(unknown, SLOTS, 'slot') })
})
const list = <T extends z.ZodType>(one: T) => z.array(one).min(1)
/** Steps, each with how often at least and at most: `ask read:1-3 edit check`. */
const scene = z.string().regex(new RegExp(`^(?:${[...SHARED, ...SAYS].join('|')})(?: (?:${STEPS})(?::\\d-\\d)?)*$`), {
  error: `must be one of ${[...SHARED, ...SAYS].join(', ')}, and then steps such as read:1-3: ${STEPS}`,
})
const hidden = z.literal('hidden').optional()
/** A tool of an agent: its name, its arguments, its result, and its result when it fails. */
const tool = z.tuple([z.string(), z.record(z.string(), z.json()), text, text.optional()])
/** A check: its command, a line of its output, its last line if it passes, and its last lines if it fails. */
const check = z.tuple([text, text, text, text])
/** A command and its output. Of a `hidden` one nobody knows from its exit code how the check in it ended: it is not asked about. */
const command = z.tuple([text, text, hidden])
const agent = z.strictObject({
  name: z.string(),
  /** The beginning of the paths of its tools. */
  root: z.string(),
  /** True if a failure is marked beside the text of a result. */
  marksErrors: z.boolean().optional(),
  read: tool,
  edits: list(tool),
  shell: tool,
  todos: tool.optional(),
  todo: z.record(z.string(), text).optional(),
  /** The most characters of an output, and the form of a longer one. */
  cut: z.tuple([z.number().min(200), text]),
})
const project = z.strictObject({
  name: z.string(),
  names: z.enum(['camel', 'snake']),
  path: text,
  test: text,
  /** The first and the last line of a function, and lines between them. */
  code: z.tuple([text, text]),
  body: list(text),
  one: check,
  all: list(check),
})
/** A user and an agent of one language. A rule is in its first words and in those of its change. */
const user = z.strictObject({
  language: z.string(),
  says: z.record(z.enum(SAYS), list(text)),
  answers: z.record(z.enum(ANSWERS), list(text)),
  rules: list(z.tuple([text, text])),
  reasons: list(text),
  notes: list(text),
})
/** Everything that a made-up session is made from. Pith's authors wrote the generator and the bundled forms: check them with your own. */
const FORMS = z.strictObject({
  agents: list(agent),
  projects: list(project),
  users: list(user),
  /** Messages of users of all languages, and to-dos. */
  says: z.record(z.enum(SHARED), list(text)),
  todos: list(text),
  /** The ways to call a check. */
  checks: list(z.tuple([text, hidden])),
  git: z.record(z.enum(GIT), list(command)),
  /** Commands that change nothing. */
  looks: list(command),
  /** Git's answer to a commit, and lines of logs. */
  commits: list(text),
  logs: list(text),
  words: z.strictObject({ areas: list(text), verbs: list(text), nouns: list(text), people: list(text) }),
  first: scene,
  /** Each with its weight. */
  scenes: list(z.tuple([z.int().positive(), scene])),
})
export type Forms = z.output<typeof FORMS>
export type WorkStep = (typeof WORK)[number]

/** The bundled forms, with the parts of a file instead of theirs, and how a report calls them. */
export function readForms(file?: string): { readonly forms: Forms; readonly name: string } {
  const bundled = { agents: AGENTS, projects: PROJECTS, users: USERS, ...COMMANDS, ...STORY }
  if (file === undefined) return { forms: checked(bundled, 'the bundled forms'), name: '' }
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new PithError('bad-argument', `--forms: there is no file ${file}`)
  const json = readFileSync(file, 'utf8')
  const broken = jsonProblem(json)
  if (broken !== undefined)
    throw new PithError('bad-argument', `--forms ${file}: line ${broken.line}, column ${broken.column}: ${broken.text}`)
  const own: unknown = JSON.parse(json)
  if (!isRecord(own)) throw new PithError('bad-argument', `--forms ${file}: must be an object with some of the parts`)
  const hash = createHash('sha256').update(json).digest('hex').slice(0, 8)
  return {
    forms: checked({ ...bundled, ...own }, `--forms ${file}`),
    name: `, forms ${basename(file)} ${hash}`,
  }
}

function checked(value: unknown, what: string): Forms {
  const { data, error } = FORMS.safeParse(value, { error: issueText })
  if (data !== undefined) return data
  const { path, text: why } = problemOf(error, (at) => keysIn(FORMS, at))
  throw new PithError('bad-argument', `${what}: ${path.map((key) => `${String(key)}: `).join('')}${why}`)
}
