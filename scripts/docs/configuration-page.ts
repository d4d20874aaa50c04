import { readFileSync } from 'node:fs'
import { fileSchema, hooksSchema, POLICY_SHORTCUTS, providerSchema } from '../../src/config/tables/file-schema.ts'
import { mcpServerSchema } from '../../src/config/tables/mcp-settings.ts'
import { gatewaySettingsSchema, serverSettingsSchema } from '../../src/config/tables/program-settings.ts'
import { DEFAULTS } from '../../src/config/tables/settings.ts'
import { SHORTCUTS } from '../../src/config/tables/shortcuts.ts'
import { PROVIDERS } from '../../src/llm/provider/providers.ts'
import { registryEntrySchema } from '../../src/model/model-info-schema.ts'
import { CONFIG_NAMES, POLICY_KEYS } from '../../src/model/policy/policy.ts'
import { policyPatchSchema } from '../../src/model/policy/policy-schema.ts'
import { PRESETS } from '../../src/model/policy/presets.ts'
import { snakeCase } from '../../src/model/values.ts'
import { code, GENERATED, page, table } from './markdown.ts'
import { SETTING_HEAD, type SettingTable, settingRows, valueText } from './setting-rows.ts'

/** A file that sets something of everything. */
export const CONFIG_EXAMPLE = readFileSync(new URL('./config-example.yaml', import.meta.url), 'utf8')

/** docs/configuration.md, from the schemas that read the configuration. */
export function configurationPage(): string {
  return page(
    GENERATED,
    '# Configuration',
    INTRODUCTION,
    `## An example\n\n\`\`\`yaml\n${CONFIG_EXAMPLE}\`\`\``,
    section('Settings', '', { path: [], schema: fileSchema, defaults: DEFAULTS, leaveOut: OF_THEIR_OWN }),
    section('policy', POLICY, { path: ['policy'], schema: policyPatchSchema, defaults: PRESETS.pith }),
    `### Where the presets differ\n\n${presetTable()}`,
    `### Which counts are scaled\n\n${SCALED}`,
    section('providers', PROVIDERS_TEXT, { path: ['providers', 'ID'], schema: providerSchema }),
    `These are known:\n\n${providerTable()}`,
    section('models', MODELS, { path: ['models'], schema: registryEntrySchema }),
    section('mcp', MCP, { path: ['mcp', 'NAME'], schema: mcpServerSchema }),
    section('hooks', HOOKS, { path: ['hooks'], schema: hooksSchema }),
    section('server', SERVER, { path: ['server'], schema: serverSettingsSchema }),
    section('gateway', GATEWAY, { path: ['gateway'], schema: gatewaySettingsSchema }),
    `## Environment variables\n\n${variableTable()}`,
  )
}

const SCALED = `A provider counts differently from any estimate. Pith learns the difference, per model, from every usage that the provider reports, and scales its estimates by it.
The setting \`estimator\` only decides what is scaled.

| count | scaled |
|---|---|
| how full the context is, which is also what a trigger is compared with | the provider's own count of the last request, and the scaled estimate of what came after it |
| \`keep_tokens\`, and whether a rebuilt request fits the target | yes |
| \`keep_tokens\` without \`fit_target\`, as in \`kit\` | no: the cut is where the system that the preset comes from cuts, whatever a provider reports |
| the tokens after a compaction | by the provider's count of the context before it; the next report replaces the estimate |
| the lines of a record, and the room that they fill | yes |
| \`name_tokens\` | no: two characters of a name count as a token |
| \`summary_tokens\` | no: the provider counts its own answer |

Without any report, nothing is scaled.`

const OF_THEIR_OWN: readonly string[] = [
  'policy',
  'providers',
  'models',
  'mcp',
  'hooks',
  'server',
  'gateway',
  ...POLICY_SHORTCUTS,
]

const INTRODUCTION = `You do not have to configure anything. Settings are read from five sources, value by value; a later one wins:

1. the defaults,
2. the **user** file: \`~/.config/pith/config.yaml\` (macOS: \`~/Library/Application Support/pith/config.yaml\`, Windows: \`%APPDATA%\\pith\\config.yaml\`;
   with \`PITH_HOME\` set: \`config.yaml\` in that folder),
3. the **project** file: \`.pith/config.yaml\` in the workspace, which is the nearest folder upwards with \`.pith\` or \`.git\`,
4. environment variables,
5. flags.

\`pith config\` shows every value and its source. \`pith config set KEY VALUE\` writes the user file (comments stay), and \`pith config unset KEY\` removes a
value. An unknown key is refused, and the message names the closest known key. A wrong value is refused with its file and line. Files are YAML, and JSON is YAML too. Names
are snake_case here and over HTTP, camelCase in TypeScript.

Sessions, tokens and permission rules are kept in the data folder: \`~/.local/share/pith\` (macOS: \`~/Library/Application Support/pith\`, Windows:
\`%LOCALAPPDATA%\\pith\`; with \`PITH_HOME\` set: that folder).

**Trust.** Some settings could run commands or send keys, secrets and sessions elsewhere. In a project file they take effect only after \`pith config trust\` in that workspace (below:
*trusted project*), and you have to trust the file again when it changes. Until then these settings are set aside, and a line says so.
The other settings of a file that you have not trusted take effect, but if they change who gets the conversation, what is kept, checked or compacted, or what it costs, a line at the start names the file, each setting and
its effect. Plug-ins of other agents cannot show such a line, so they ignore the file until you trust it.`

const POLICY = `When and how to compact. Settings that are not set come from the preset; the defaults here are those of \`pith\`. A session can override
these with its own settings: \`/policy\` in the terminal, \`policy\` over HTTP. [policies.md](policies.md) says which to choose.

Three settings have a second name, which may also be at the top of the file: ${secondNames()}.`

const PROVIDERS_TEXT = `Under an id of your choice, or the id of a known provider to change it: \`providers: { ID: { … } }\`.`

const MCP = `MCP servers whose tools the agent gets, each with a \`command\` or a \`url\`: \`mcp: { NAME: { … } }\`. [terminal.md](terminal.md#mcp-servers) says how they are used.`

const MODELS = `A list. An entry with the name of a known model (\`pith models\`) changes the values that it sets.`

const HOOKS = `Your own commands before and after every compaction, automatic or not.`

const SERVER = `[deploy.md](deploy.md) says how to run it.`

const GATEWAY = `[gateway.md](gateway.md) says what it does.`

function section(title: string, text: string, settings: SettingTable): string {
  return [`## ${title}`, ...(text === '' ? [] : [text]), table(SETTING_HEAD, settingRows(settings))].join('\n\n')
}

function secondNames(): string {
  const pairs = Object.entries(CONFIG_NAMES).map(([name, key]) => `${code(name)} is ${code(snakeCase(key))}`)
  return pairs.join(', ')
}

function presetTable(): string {
  const presets = Object.values(PRESETS)
  const rows = POLICY_KEYS.map((key) => [code(snakeCase(key)), ...presets.map((preset) => valueText(preset[key]))])
  const differing = rows.filter(([key, ...values]) => key !== code('preset') && new Set(values).size > 1)
  return table(['key', ...Object.keys(PRESETS).map(code)], differing)
}

function providerTable(): string {
  return table(
    ['id', 'protocol', 'key', 'address'],
    PROVIDERS.map(({ id, kind, keyEnv, baseUrl }) => [
      code(id),
      code(kind),
      keyEnv.length === 0 ? 'none: found on its usual port' : keyEnv.map(code).join(', '),
      code(baseUrl),
    ]),
  )
}

function variableTable(): string {
  return table(
    ['variable', 'meaning'],
    [
      ...SHORTCUTS.map(({ key, variable }) => [code(variable), `sets ${code(key)}; empty is not set`]),
      [code('PITH_HOME'), 'one folder for configuration and data, instead of those of the platform'],
      [code('PITH_TOKEN'), 'the token for `pith --server`'],
      [code('PITH_DEBUG'), 'adds a stack trace to an error'],
      [code('NO_COLOR'), 'no colours'],
      [
        PROVIDERS.flatMap(({ baseUrlEnv }) => baseUrlEnv ?? [])
          .map(code)
          .join(', '),
        'another address of the provider, as its own tools read it',
      ],
      [code('ANTHROPIC_AUTH_TOKEN'), 'a bearer token instead of a key'],
    ],
  )
}
