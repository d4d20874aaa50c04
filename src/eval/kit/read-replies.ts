import { KIND_NAMES, type QuestionKind } from './kinds.ts'

/** A question with its true answer. */
export type ExamQuestion = { readonly kind: QuestionKind; readonly question: string; readonly truth: string }

/** The questions in a writer's text; a kind that is missing or has no truth is left out. */
export function itemsIn(text: string): ExamQuestion[] {
  const given = objectIn(text)
  return KIND_NAMES.flatMap((kind) => {
    const { question, truth } = fieldsOf(given[kind])
    return isText(question) && isText(truth) ? [{ kind, question, truth }] : []
  })
}

/** The answers in a model's text; a part that is missing is an empty answer. */
export function answerPartsIn(text: string): Readonly<Record<QuestionKind, string>> {
  const part = (kind: QuestionKind) => new RegExp(`<${kind}>([\\s\\S]*?)(?:</${kind}>|$)`).exec(text)?.[1]?.trim() ?? ''
  return Object.fromEntries(KIND_NAMES.map((kind) => [kind, part(kind)])) as Record<QuestionKind, string>
}

/** The calls of `recall` in a model's text, one on each line; undefined if it is an answer. */
export function recallsIn(text: string): string[] | undefined {
  const lines = /<recall>([\s\S]*?)(?:<\/recall>|$)/.exec(text)?.[1]?.split('\n')
  if (lines === undefined || Object.values(answerPartsIn(text)).some((part) => part !== '')) return undefined
  return lines.map((line) => line.replace(/^\s*-\s+/, '').trim()).filter((line) => line !== '')
}

/** A mark from 0 to 5, and what the judge found missing or wrong. */
export type Mark = { readonly mark: number; readonly wrong: string }

/** The mark for a letter in a judge's text; undefined if there is none from 0 to 5. */
export function markIn(text: string, letter: string): Mark | undefined {
  const { mark, wrong } = fieldsOf(objectIn(text)[letter])
  if (typeof mark !== 'number' || !(mark >= 0 && mark <= 5)) return undefined
  return { mark, wrong: isText(wrong) ? wrong : '' }
}

/** The JSON object in a text, whatever a model wrote around it. */
function objectIn(text: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(/\{[\s\S]*\}/.exec(text)?.[0] ?? ''))
  } catch {
    return {}
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
