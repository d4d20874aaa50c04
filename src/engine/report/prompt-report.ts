import type { Entry, Fixed, Prices, PromptSection } from '../../model/types.ts'
import type { Estimator } from '../../tokens/estimate/estimator.ts'
import { type RequestCost, requestCost, sumOf } from './tool-report.ts'

/** The parts of a prompt: the agent's own text, the project's instructions, and what is to be remembered. */
type PromptPart = 'system' | 'instructions' | 'memory'

/** A section of the prompt in each request. The text is absent if only its size was stored. */
export type ReportedSection = PromptSection & RequestCost & { readonly part: PromptPart; readonly text?: string }

/** The prompt that is sent with each request, section by section, in the order of the request. */
type PromptReport = RequestCost & { readonly tokens: number; readonly sections: readonly ReportedSection[] }

/** Reports the prompt of an agent whose text is known. */
export function promptReport(fixed: Fixed, estimator: Estimator, prices: Prices | undefined): PromptReport {
  const parts = ['system', 'instructions', 'memory'] as const
  return withCosts(
    parts.flatMap((part) => promptSections(fixed[part] ?? '', estimator).map((section) => ({ part, ...section }))),
    prices,
  )
}

/** Reports the prompt of another agent, of which the log has only the sizes. */
export function storedPromptReport(sections: readonly PromptSection[], prices: Prices | undefined): PromptReport {
  return withCosts(
    sections.map((section) => ({ part: 'system', ...section })),
    prices,
  )
}

function withCosts(sections: readonly ReportedSection[], prices: Prices | undefined): PromptReport {
  const tokens = sumOf(sections)
  return {
    tokens,
    ...requestCost(tokens, prices),
    sections: sections.map((section) => ({ ...section, ...requestCost(section.tokens, prices) })),
  }
}

/** The sizes that a log has of the prompt that is sent with its next request. */
export function promptIn(log: readonly Entry[]): readonly PromptSection[] | undefined {
  const found = log.findLast((entry) => entry.type === 'settings' && entry.prompt !== undefined)
  return found?.type === 'settings' ? found.prompt : undefined
}

const TITLE_CHARACTERS = 80

/**
 * The sections of a prompt with their sizes. A section begins with a heading of the first two levels, or is an element such as
 * `<env>…</env>` that the prompt has once: those that it has several times are mostly examples within a section.
 */
export function promptSections(prompt: string, estimator: Estimator): (PromptSection & { readonly text: string })[] {
  const elements = elementsIn(prompt)
  const sections: { title: string; lines: string[] }[] = []
  let element: string | undefined
  let isCode = false
  for (const line of prompt.split('\n')) {
    const opened = element === undefined && !isCode ? elements.get(line.trim()) : undefined
    const heading = element === undefined && !isCode ? /^##? +(\S.*)$/.exec(line)?.[1] : undefined
    const title = opened?.title ?? heading
    const last = sections.at(-1)
    if (title !== undefined && last !== undefined && introduces(last)) {
      last.title = title
      last.lines.push(line)
    } else if (title !== undefined || last === undefined) sections.push({ title: title ?? '', lines: [line] })
    else last.lines.push(line)
    if (opened !== undefined) element = opened.end
    else if (element === undefined && line.trimStart().startsWith('```')) isCode = !isCode
    else if (element !== undefined && line.trim() === element) {
      element = undefined
      sections.push({ title: '', lines: [] })
    }
  }
  return sections
    .map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '')
    .map(({ title, text }) => ({
      title: (title === '' ? (text.split('\n', 1)[0] ?? '') : title).slice(0, TITLE_CHARACTERS),
      tokens: estimator.text(text),
      text,
    }))
}

/** True for a line such as `Instructions of the user:`, which belongs to what comes after it. */
function introduces({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): boolean {
  const [only, ...others] = lines.filter((line) => line.trim() !== '')
  return title === '' && only?.trimEnd().endsWith(':') === true && others.length === 0
}

/** The elements that a prompt has once, by the lines that open them. */
function elementsIn(prompt: string): Map<string, { readonly title: string; readonly end: string }> {
  const found = new Map<string, { title: string; end: string }>()
  const lines = prompt.split('\n').map((line) => line.trim())
  const times = new Map<string, number>()
  for (const line of lines) if (line.startsWith('<')) times.set(line, (times.get(line) ?? 0) + 1)
  for (const [line, count] of times) {
    const [, name, file] = /^<([a-z][\w-]*)(?: [^<>]*?(?:file="([^"<>]*)")?[^<>]*)?>$/i.exec(line) ?? []
    if (name === undefined || count > 1 || !times.has(`</${name}>`)) continue
    found.set(line, { title: file ?? name, end: `</${name}>` })
  }
  return found
}
