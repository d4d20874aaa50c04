import { CONFIG_KEYS } from '../../model/policy/policy.ts'
import { PRESET_NAMES } from '../../model/policy/preset-names.ts'
import { nearest } from '../../model/problems/problem-text.ts'
import { type Line, line, type PolicyReport, type Span, table } from '../port/port.ts'
import { type Command, sayResult } from './command.ts'

export const slashPolicy: Command = {
  name: 'policy',
  takes: '[preset | key value]',
  about: 'Show or set when and how to compact; with “for good” at the end it is saved',
  run: async (context, rest) => {
    const { port, show, note } = context
    if (rest === '') return show(policyLines(await port.policy()))
    const forGood = /\s+for good$/.test(rest)
    const [key = '', ...words] = rest.replace(/\s+for good$/, '').split(/\s+/)
    const scope = forGood ? 'user' : 'session'
    if (words.length > 0) return sayResult(context, await port.setPolicy(key, words.join(' '), scope))
    if (PRESET_NAMES.some((name) => name === key)) return sayResult(context, await port.setPolicy('preset', key, scope))
    note(CONFIG_KEYS.has(key) ? `Say the value: /policy ${key} <value>` : unknownText(key), 'error')
  },
}

function unknownText(name: string): string {
  const meant = nearest(name, [...PRESET_NAMES, ...CONFIG_KEYS.keys()])
  const hint =
    meant === undefined
      ? `the presets are ${PRESET_NAMES.join(', ')}, and /policy lists the settings`
      : `did you mean ${meant}?`
  return `There is no preset or setting ${name}: ${hint}`
}

function policyLines({ preset, values }: PolicyReport): Line[] {
  const rows = values.map(({ key, value, source }): Span[] => [[key], [value], [source, 'muted']])
  return [
    line(`Policy ${preset}`, 'bold'),
    ...table(rows),
    line('/policy <preset> or /policy <key> <value>, in this session; with “for good” at the end it is saved', 'muted'),
  ]
}
