import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bundleClaudeCode, SKILL } from './bundle-plugins.mjs'

const root = resolve(import.meta.dirname, '..')
const SHORT = 'Recall of every word of AI agents’ sessions, also what was compacted, and memory of a project.'
/** Takes the place of the repository's address as long as nobody has said it. */
const MISSING = 'https://HOST/OWNER/pith'

/**
 * Writes a folder that is a marketplace of Claude Code and one of Codex, with their plug-ins and the skill, the registry's file
 * and the galleries' entries. A marketplace is read from a repository, so the folder is complete by itself.
 */
export async function writeMarkets(folder, { name, version, description, repository = MISSING, license }) {
  rmSync(folder, { recursive: true, force: true })
  const write = (path, data) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof data === 'string' ? data : `${JSON.stringify(data, undefined, 2)}\n`)
  }
  cpSync(SKILL, join(folder, 'skills', 'pith'), { recursive: true })

  const claude = join(folder, 'plugins', 'claude-code')
  await bundleClaudeCode(claude)
  const market = JSON.parse(readFileSync(join(claude, '.claude-plugin', 'marketplace.json'), 'utf8'))
  rmSync(join(claude, '.claude-plugin', 'marketplace.json'))
  const [plugin] = market.plugins
  write('.claude-plugin/marketplace.json', { ...market, plugins: [{ ...plugin, source: './plugins/claude-code' }] })

  const codex = join(folder, 'plugins', 'codex')
  cpSync(join(root, 'src', 'plugins', 'codex', 'folder'), codex, { recursive: true })
  cpSync(join(claude, '.mcp.json'), join(codex, '.mcp.json'))
  cpSync(SKILL, join(codex, 'skills', 'pith'), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(codex, 'LICENSE'))
  const manifest = JSON.parse(readFileSync(join(codex, '.codex-plugin', 'plugin.json'), 'utf8'))
  write('plugins/codex/.codex-plugin/plugin.json', { ...manifest, version, homepage: repository, repository })
  write('.agents/plugins/marketplace.json', {
    name: 'pith',
    interface: { displayName: 'Pith' },
    plugins: [
      {
        name: 'pith',
        source: { source: 'local', path: './plugins/codex' },
        policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
        category: 'Productivity',
      },
    ],
  })

  write('server.json', serverEntry({ name, version, repository }))
  write('gallery/opencode.yaml', opencodeEntry({ description, repository }))
  write('gallery/opencode.md', `| [${name}](${repository}) | ${description} |\n`)
  write('LICENSE', readFileSync(join(root, 'LICENSE'), 'utf8'))
  write('README.md', readme({ repository, version, license }))
}

/** The name in the MCP registry: the registry takes it only from the owner of the repository, and compares it with `mcpName` of the npm package. */
export function registryName(repository) {
  const { hostname, pathname } = new URL(repository)
  const [, owner = ''] = pathname.split('/')
  return `${hostname === 'github.com' ? 'io.github' : hostname.split('.').toReversed().join('.')}.${owner}/pith`
}

function serverEntry({ name, version, repository }) {
  const source = new URL(repository).hostname.split('.').at(-2) ?? 'git'
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName(repository),
    title: 'Pith',
    description: SHORT,
    version,
    repository: { url: repository, source },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  }
}

/** An entry of the list that opencode's own page names, awesome-opencode: a file of `data/plugins`. */
function opencodeEntry({ description, repository }) {
  const lines = {
    name: 'Pith',
    repo: repository,
    tagline: 'Compacts without losing facts, and finds every word again',
    description: `${description} In opencode: Pith's prompt and facts for each compaction, old tool results as handles, and the tool recall.`,
    homepage: repository,
  }
  const text = Object.entries(lines).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  return `${text.join('')}scope:\n  - global\n`
}

function readme({ repository, version, license }) {
  const place = repository.replace(/^https:\/\/github\.com\//, '')
  return `# Pith for agents

Plug-ins of [Pith](${repository}) ${version}, made by \`npm run markets\`. Licence: ${license}. They need \`pith\` on the path: \`npm install --global pith\`.

- Claude Code: \`claude plugin marketplace add ${place}#markets\`, then \`claude plugin install pith@pith\`
- Codex: \`codex plugin marketplace add ${place} --ref markets\`, then \`codex plugin add pith@pith\`
- any agent with skills: copy \`skills/pith\` into its folder of skills
`
}
