import { homedir } from 'node:os'
import { activeCompactions } from '../../../engine/context/view/activity.ts'
import { marks, sparkline } from '../../../engine/report/chart.ts'
import { issueLines, lostPromptsText } from '../../../engine/report/issue-lines.ts'
import { withoutFolder } from '../../../engine/report/item-names.ts'
import { costText, count, counted, dollars, ifKnown, percentOf, short } from '../../../engine/report/numbers.ts'
import { beforeLogText, providerReductionText } from '../../../engine/report/provider-context-text.ts'
import { sourceText, windowGuessText } from '../../../engine/report/status-text.ts'
import {
  callsText,
  largestTools,
  requestCostText,
  serverTitle,
  unusedTools,
  usedText,
} from '../../../engine/report/tool-report.ts'
import { modelNamed } from '../../../models/registry.ts'
import { importedLog } from '../../../session/import/import-session.ts'
import { importedSystem } from '../../../session/import/origin.ts'
import { type Inspection, inspectLog } from '../../../study/inspect/inspect-log.ts'
import {
  columns,
  fitted,
  fittedPath,
  homePath,
  note,
  print,
  printJson,
  screenWidth,
  tinted,
  wrappedFacts,
} from '../../output/show.ts'
import { partLines, statusText } from '../../output/window-lines.ts'
import { agentOf, measuredModel, modelLabel, openSource, type SessionSource } from '../../sessions/session-source.ts'
import { knownModels, loadSetup } from '../../setup/setup.ts'
import type { InspectFlags } from './session-commands.ts'

/** Prints the inspection of a session. */
export async function inspect(what: string, flags: InspectFlags): Promise<void> {
  const setup = loadSetup({})
  const source = await openSource(what, setup)
  const { session } = source
  const { model, guess } = measuredModel(source, flags, setup)
  const log = importedLog(session, knownModels(setup))
  const inspection = inspectLog(log, {
    model,
    fixed: { system: importedSystem(log, session.system.join('\n\n')) },
    // No file has the prompt and the tools that an agent sends around its log.
    pricesOf: (name) =>
      (flags.model === undefined && name !== undefined ? modelNamed(setup.models.registry, name) : model).prices,
    largest: flags.json === true ? 20 : 5,
  })
  if (flags.json === true) return printJson(inspectionJson({ ...source, guess }, inspection))
  for (const line of inspectionLines({ ...source, model, guess }, inspection, screenWidth())) print(line)
}

function inspectionJson({ session, name, id, guess }: SessionSource, inspection: Inspection): object {
  const { format, agent, version, sessionId, title, workspace, startedAt, models, counts, issues, prompts } = session
  const about = {
    format,
    agent,
    version,
    id: id ?? sessionId,
    title,
    workspace,
    startedAt,
    models,
    counts,
    issues,
    prompts,
  }
  return { source: name, session: about, windowGuess: guess, ...inspection }
}

const SHOWN = 5

/** The inspection of a session, for people. */
function inspectionLines(source: SessionSource, inspection: Inspection, width: number): string[] {
  const { guess } = source
  return [
    ...headLines(source, width),
    '',
    statusText(inspection.status, Math.min(30, width - 40)),
    tinted(`  ${howCounted(inspection)}`, 'dim'),
    ...(guess === undefined ? [] : [tinted(`  ${fitted(windowGuessText(guess, agentOf(source)), width - 2)}`, 'dim')]),
    ...partLines(inspection.parts, inspection.status, width),
    ...section('Context by request', requestLines(inspection, width)),
    ...section('By the provider', providerLines(inspection, width)),
    ...section('Tools in each request', toolLines(inspection, width)),
    ...section('Largest results', largestLines(source, inspection, width)),
    ...section('Files', fileLines(source, inspection, width)),
    ...section('Read again', repeatedLines(source, inspection, width)),
    ...section('Cost', costLines(inspection)),
  ]
}

function headLines({ session, name, model }: SessionSource, width: number): string[] {
  const { agent, version, title, workspace, counts, sidechains, issues, cut, prompts } = session
  const facts = [
    `${agent}${version === undefined ? '' : ` ${version}`}`,
    modelLabel(model),
    counted(counts.messages, 'message'),
    counted(counts.calls, 'tool call'),
    counted(activeCompactions(session.entries), 'compaction'),
    ...(sidechains.length === 0 ? [] : [counted(sidechains.length, 'sub-agent')]),
    ...(prompts === undefined || prompts.left.length === 0
      ? []
      : [`${counted(prompts.left.length, 'prompt')} taken back`]),
  ]
  const lost = prompts && lostPromptsText(prompts.typed, prompts.missing)
  // A reader of a pipe has no screen to fit into.
  const shown = (text: string) => note(process.stderr.isTTY ? fitted(text, width) : text)
  if (lost !== undefined) shown(lost)
  // Opening the file said where it is cut off.
  const others = issues.filter(({ line }) => line !== cut?.line)
  for (const line of issueLines(others, counts.issues - issues.length + others.length)) shown(line)
  return [
    tinted(title === undefined ? fittedPath(name, width) : fitted(title, width), 'bold'),
    ...wrappedFacts(facts, width),
    ...(workspace === undefined ? [] : [tinted(fittedPath(homePath(workspace, homedir()), width), 'dim')]),
  ]
}

function howCounted({ status }: Inspection): string {
  const hasCount = status.source === 'provider' || status.doubted !== undefined || status.countedFor !== undefined
  return hasCount ? sourceText(status) : 'estimated: the log has no count of the provider'
}

/** The last reductions that the provider made by itself, and a beginning that only the provider has. */
function providerLines({ reductions, beforeLog }: Inspection, width: number): string[] {
  const rows = reductions
    .slice(-SHOWN)
    .map(({ seq, at, reduced }) => [
      `  #${seq}`,
      new Date(at).toISOString().slice(0, 16).replace('T', ' '),
      fitted(providerReductionText(reduced) ?? '', width - 28),
    ])
  const earlier = reductions.length > SHOWN ? [tinted(`  and ${reductions.length - SHOWN} earlier ones`, 'dim')] : []
  const begun = beforeLog === undefined ? [] : [`  ${fitted(beforeLogText(beforeLog), width - 2)}`]
  return [...begun, ...columns(rows, ['right']), ...earlier]
}

const MOST_TOOLS = 8
const MOST_UNUSED = 60

/** The definitions of tools by server, the largest tools of each, and those that were never used. */
function toolLines({ tools, status }: Inspection, width: number): string[] {
  if (tools === undefined) return []
  const head = [
    `${count(tools.tokens)} tokens`,
    ...(status.window === undefined ? [] : [`${percentOf(tools.tokens, status.window)} of the window`]),
    ...[requestCostText(tools)].filter((text) => text !== ''),
  ]
  const servers = tools.servers.map((one) => [
    `  ${fitted(serverTitle(one), 30)}`,
    count(one.tokens),
    usedText(one),
    requestCostText(one),
  ])
  const largest = largestTools(tools, MOST_TOOLS).map((one) => [
    `    ${fitted(one.name, Math.max(20, width - 52))}`,
    count(one.tokens),
    callsText(one),
    requestCostText(one),
  ])
  return [
    `  ${head.join(' · ')}`,
    ...columns(servers, ['left', 'right']),
    ...columns(largest, ['left', 'right']).map((line) => tinted(line, 'dim')),
    ...unusedLines(unusedTools(tools), width - 2).map((line) => tinted(`  ${line}`, 'dim')),
  ]
}

function unusedLines(unused: readonly string[], width: number): string[] {
  if (unused.length === 0) return []
  const more = unused.length > MOST_UNUSED ? [`and ${unused.length - MOST_UNUSED} more`] : []
  return wrappedFacts([`never used: ${unused[0]}`, ...unused.slice(1, MOST_UNUSED), ...more], width)
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', tinted(title, 'bold'), ...lines]
}

function requestLines({ requests, peak, compactions, status }: Inspection, width: number): string[] {
  if (requests.length < 2) return []
  const room = width - 4
  const reductions = requests.map(({ reduced }) => reduced)
  const facts = [
    `${counted(requests.length, 'request')}, at most ${count(peak)} tokens`,
    ...(status.window === undefined ? [] : [`${percentOf(peak, status.window)} of the window`]),
    ...(reductions.includes(true) ? [`▲ ${compactions === 0 ? 'reduced' : counted(compactions, 'compaction')}`] : []),
  ]
  return [
    `  ${tinted(
      sparkline(
        requests.map(({ tokens }) => tokens),
        room,
        peak,
      ),
      'cyan',
    )}`,
    ...(reductions.includes(true) ? [`  ${marks(reductions, room, '▲')}`] : []),
    tinted(`  ${facts.join(' · ')}`, 'dim'),
  ]
}

function largestLines({ session }: SessionSource, { largest }: Inspection, width: number): string[] {
  const rows = largest
    .filter(({ tokens }) => tokens > 0)
    .map(({ seq, name, tokens, inView }) => [
      `  ${short(tokens)}`,
      `#${seq}`,
      fitted(withoutFolder(name, session.workspace), width - 22 - (inView ? 0 : 12)),
      inView ? '' : tinted('compacted', 'dim'),
    ])
  return columns(rows, ['right', 'right'])
}

function fileLines({ session }: SessionSource, { files }: Inspection, width: number): string[] {
  if (files.length === 0) return []
  const modified = files
    .filter(({ access }) => access === 'modified')
    .toSorted((a, b) => (b.modified ?? 0) - (a.modified ?? 0))
  const shown = modified
    .slice(0, SHOWN)
    .map(({ path }) => `  ${fittedPath(within(path, session.workspace), width - 2)}`)
  const more = modified.length > SHOWN ? `, the last ${SHOWN}:` : modified.length > 0 ? ':' : ''
  return [
    `  ${modified.length} modified, ${files.filter(({ access }) => access === 'read').length} only read${more}`,
    ...shown.map((line) => tinted(line, 'dim')),
  ]
}

function repeatedLines({ session }: SessionSource, { repeated }: Inspection, width: number): string[] {
  const rows = repeated
    .slice(0, SHOWN)
    .map(({ path, times, tokensAgain }) => [
      `  ${times}×`,
      `${short(tokensAgain)} more`,
      fittedPath(within(path, session.workspace), width - 22),
    ])
  return columns(rows, ['right', 'right'])
}

function costLines({ spending, cacheShare }: Inspection): string[] {
  const rows = spending.map(({ model, calls, usage, cost, isLeast = false }) => [
    `  ${fitted(model ?? 'unknown model', 40)}`,
    counted(calls, 'call'),
    `${short(usage.inputTokens)} in`,
    `${isLeast ? '≥ ' : ''}${short(usage.outputTokens)} out`,
    isLeast ? costText(undefined, { known: cost, unknown: '?' }) : ifKnown(cost, dollars),
  ])
  const share =
    cacheShare === undefined ? [] : [`  ${percentOf(cacheShare, 1)} of the input came from the provider’s cache`]
  return [...columns(rows, ['left', 'right', 'right', 'right', 'right']), ...share.map((line) => tinted(line, 'dim'))]
}

/** A path relative to the session's folder, if it is in there. */
function within(path: string, workspace: string | undefined): string {
  // Facts name files of Windows with slashes; its sessions do not.
  const folder = workspace?.replaceAll('\\', '/')
  return folder !== undefined && path.replaceAll('\\', '/').startsWith(`${folder}/`)
    ? path.slice(folder.length + 1)
    : homePath(path, homedir())
}
