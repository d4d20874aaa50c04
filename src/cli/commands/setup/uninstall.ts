import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { configFolder, dataFolder, loadConfig } from '../../../config/index.ts'
import { bytes, counted } from '../../../engine/report/numbers.ts'
import { runningGateways } from '../../../gateway/running-gateways.ts'
import { messageOf, PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { isPostgresUrl } from '../../../model/values.ts'
import { agreedOf } from '../../output/ask.ts'
import { columns, homePath, muted, note, print } from '../../output/show.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { evenUnread } from '../../process/interruptible.ts'
import { PACKAGE } from '../../process/package.ts'
import { changeFiles, checkFiles, noteSetup, readSetupRecord } from './change-files.ts'
import { allSettings } from './set-up-agent.ts'
import type { UninstallFlags } from './setup.ts'
import { type SetupAgent, setupWorld } from './setup-agent.ts'
import { SETUP_AGENTS } from './setup-agents.ts'
import { setupPlan } from './setup-plan.ts'

/** The names of all that Pith writes into its folders. Anything else there is the user's, and stays. */
const OWN_NAMES = {
  configuration: ['config.yaml', 'permissions.json', 'trusted.json'],
  data: [
    ...databaseNames('agent-index.db'),
    ...['session-facts.json', 'bills', 'gateways', 'gateway-prefix', 'pi-with-gateway', 'jobs', 'additions'],
    ...['hooks.log', 'plugins', 'sandbox', 'server-tokens.json', 'server-grants'],
  ],
  // The key belongs to them: with it Pith recognises its own records, and finds redacted texts.
  conversations: [
    ...databaseNames('pith.db'),
    ...['checkpoints', 'memory', 'record-sources', 'redacted-texts', 'gateway.key'],
  ],
  setup: ['setup.json', 'setup'],
  /** The package that the single executable has unpacked. */
  program: ['program'],
} satisfies Record<string, readonly string[]>

/** One part of what is here. Without `remove`, Pith only says where it is. */
type Part = {
  readonly title: string
  readonly rows: readonly (readonly [place: string, what: string])[]
  readonly remove?: () => void | Promise<void>
}

/** Lists what Pith has put on this machine, asks about each part, and removes it. Conversations stay unless the user names them. */
export async function uninstall({ conversations, dryRun, yes }: UninstallFlags): Promise<number> {
  const { parts, problems } = partsHere(conversations === true)
  for (const { title, rows } of parts) {
    print(title)
    for (const line of columns(rows.map(([place, what]) => [`  ${shown(place)}`, muted(printable(what))]))) print(line)
  }
  for (const problem of problems) note(problem)
  if (dryRun === true) return EXIT.done
  if (yes !== true && !(process.stdin.isTTY && process.stderr.isTTY))
    throw new PithError(
      'bad-argument',
      'there is no terminal to ask on: --yes removes this without the conversations, --yes --conversations all of it',
    )
  const running = runningGateways(dataFolder()).length
  if (running > 0)
    throw new PithError(
      'bad-argument',
      `${counted(running, 'gateway')} of Pith must be stopped first: pith gateway status has its address`,
    )
  const removable = parts.filter(({ remove }) => remove !== undefined)
  const agreed = yes === true ? removable : await agreedOf(removable, ({ title }) => `Remove: ${title}?`)
  const failures = agreed.length === 0 ? 0 : await evenUnread(() => removeAll(agreed))
  if (agreed.length === 0) note('Nothing was removed.')
  if (!isSea()) note(`The program itself is removed by ${wayOut()}.`)
  return problems.length + failures === 0 ? EXIT.done : EXIT.failed
}

/** Removes the parts in their order, and then the folders, if nothing else is in them; returns how many failed. */
async function removeAll(parts: readonly Part[]): Promise<number> {
  let failures = 0
  for (const { title, remove } of parts)
    try {
      await remove?.()
      note(`Removed: ${title}`)
    } catch (error) {
      failures++
      note(`${title}: ${printable(messageOf(error))}`)
    }
  if (Object.keys(readSetupRecord()).length === 0) removeFiles(ownFiles('setup'))
  for (const folder of ownFolders()) if (isEmpty(folder)) rmdirSync(folder)
  return failures
}

/** Everything that is here, in the order in which it is removed: the program last, because it still runs. */
function partsHere(withConversations: boolean): { readonly parts: Part[]; readonly problems: readonly string[] } {
  const problems: string[] = []
  const reached: string[] = []
  const agents = SETUP_AGENTS.flatMap((agent) => {
    try {
      const { files, ...part } = agentPart(agent)
      reached.push(...files)
      return part.rows.length === 0 ? [] : [part]
    } catch (error) {
      problems.push(printable(messageOf(error)))
      return []
    }
  })
  if (problems.length === 0)
    for (const file of Object.keys(readSetupRecord()).filter((each) => !reached.includes(each)))
      problems.push(`${shown(file)} has Pith, too: set the variable for the agent’s folder as it was at the setup`)
  const store = ownStore(problems)
  const parts: Part[] = [
    ...agents,
    filesPart('Configuration', ownFiles('configuration')),
    filesPart('Index, notes and bills', [...ownFiles('data'), ...(isSea() ? [] : ownFiles('program'))]),
    conversationsPart(store, withConversations),
    programPart(),
    { title: 'Yours, stays', rows: othersFiles().map((file) => [file, 'not written by Pith']) },
  ]
  return { parts: parts.filter(({ rows }) => rows.length > 0), problems }
}

/** The part of an agent, removed as `pith setup AGENT --remove` does it. */
function agentPart(agent: SetupAgent): Part & { readonly files: readonly string[] } {
  const settings = allSettings(agent, setupWorld())
  const files = [...new Set(settings.map(({ file }) => file))]
  const plan = () => setupPlan(settings, readSetupRecord(), true)
  return {
    title: agent.title,
    files,
    rows: plan().map(({ file, after }) => [file, after === undefined ? 'made by Pith' : 'Pith’s part of it']),
    remove: async () => {
      const changes = plan()
      checkFiles(changes)
      await changeFiles(changes, new Date())
      for (const file of files) if (readSetupRecord()[file] !== undefined) noteSetup(file, undefined)
    },
  }
}

function filesPart(title: string, files: readonly string[]): Part {
  return { title, rows: files.map((file) => [file, bytes(sizeOf(file))]), remove: () => removeFiles(files) }
}

function conversationsPart(store: string | undefined, isNamed: boolean): Part {
  const files = [...ownFiles('conversations'), ...(store === undefined ? [] : databaseNames(store).filter(existsSync))]
  const { title, rows, remove } = filesPart('Conversations, and what is kept with them', [...new Set(files)])
  return isNamed ? { title, rows, remove } : { title: `${title}: they stay without --conversations`, rows }
}

/** The database file of the sessions, if it is elsewhere. Sessions on a server are not of this machine alone. */
function ownStore(problems: string[]): string | undefined {
  try {
    const { store } = loadConfig().settings
    if (store === undefined || !isPostgresUrl(store)) return store
    note(`The sessions are in PostgreSQL at ${new URL(store).host}: pith store delete removes sessions there.`)
  } catch (error) {
    problems.push(printable(messageOf(error)))
  }
  return undefined
}

/** The single executable removes itself. A package belongs to the program that installed it. */
function programPart(): Part {
  const title = 'The program'
  return isSea()
    ? filesPart(title, [...ownFiles('program'), process.execPath])
    : { title, rows: [[PACKAGE, `removed by ${wayOut()}`]] }
}

/** The command or the step that removes the package, which depends on how it was installed. */
function wayOut(): string {
  const holder = dirname(dirname(PACKAGE))
  if (basename(dirname(PACKAGE)) !== 'node_modules') return 'deleting this folder, your clone'
  if (basename(dirname(holder)) === '_npx') return `deleting ${shown(holder)}, npx’s copy`
  return existsSync(join(holder, 'package.json'))
    ? `npm uninstall pith, in ${shown(holder)}`
    : 'npm uninstall --global pith'
}

function databaseNames(name: string): string[] {
  return ['', '-wal', '-shm'].map((end) => `${name}${end}`)
}

function ownFolders(): readonly string[] {
  return [...new Set([configFolder(), dataFolder()])].filter(existsSync)
}

function ownFiles(part: keyof typeof OWN_NAMES): string[] {
  return ownFolders().flatMap((folder) => OWN_NAMES[part].map((name) => join(folder, name)).filter(existsSync))
}

function othersFiles(): string[] {
  const own: readonly string[] = Object.values(OWN_NAMES).flat()
  return ownFolders().flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (own.includes(name) ? [] : [join(folder, name)])),
  )
}

function removeFiles(files: readonly string[]): void {
  for (const file of files) rmSync(file, { recursive: true, force: true })
}

function isEmpty(folder: string): boolean {
  return lstatSync(folder).isDirectory() && readdirSync(folder).length === 0
}

function sizeOf(file: string): number {
  const stats = lstatSync(file)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(file).reduce((sum, name) => sum + sizeOf(join(file, name)), 0)
}

function shown(path: string): string {
  return printable(homePath(path, homedir()))
}
