// Lists of the files that commands in the sandbox reach. A path that does not begin with `/` is below the user's home, except in
// `PROTECTED`, where it is below the workspace.

/**
 * Files that run code later, outside of the sandbox: git's hooks and configuration, settings and tasks of editors and other
 * agents, registries and hooks of package managers, variables of shells, MCP servers, workflows, and our own configuration.
 * Commands cannot write to them, and edits of them are asked about.
 */
export const PROTECTED: readonly string[] = [
  ...['.git/hooks/**', '.git/config', '.git/config.worktree', '.git/info/attributes'],
  // It names another folder with hooks and a configuration.
  '.git/commondir',
  ...['.husky/**', '.github/workflows/**', '.envrc', '.mcp.json', '.pith/config.yaml'],
  ...['.claude/**', '.codex/**', '.gemini/**', '.qwen/**', '.opencode/**', '.pi/**', '.cursor/**'],
  ...['.vscode/**', '.idea/**', '.npmrc', '.yarnrc*', '.pnpmfile*'],
]

/** Commands that are known to write protected files, by the pattern of these. Their options may be anywhere. */
export const WRITERS: Readonly<Record<string, readonly string[]>> = {
  '.git/config': [
    ...['git config', 'git sparse-checkout', 'git lfs install', 'git maintenance', 'husky', 'git push -u'],
    ...['git push --set-upstream', 'git branch -u', 'git branch --set-upstream-to', 'git branch --unset-upstream'],
    ...['git branch -m', 'git branch -d', 'git branch -D'],
    ...['add', 'set-url', 'remove', 'rm', 'rename', 'set-branches'].map((command) => `git remote ${command}`),
    ...['add', 'init', 'update', 'deinit', 'set-url', 'sync'].map((command) => `git submodule ${command}`),
  ],
  '.git/config.worktree': ['git sparse-checkout', 'git config --worktree'],
  '.git/hooks/**': [
    ...['pre-commit install', 'pre-commit uninstall', 'lefthook install', 'lefthook uninstall', 'simple-git-hooks'],
    'git lfs install',
  ],
  '.husky/**': ['husky'],
  '.npmrc': ['npm config set', 'npm config delete', 'npm set', 'pnpm config set', 'pnpm config delete'],
  '.yarnrc*': ['yarn set version', 'yarn config set', 'yarn config unset', 'yarn plugin import', 'yarn plugin remove'],
  '.mcp.json': ['claude mcp'],
}

/** Commands of git that replace files of the workspace: they write the protected ones that differ in the other commit. */
export const REPLACES_FILES: ReadonlySet<string> = new Set(
  'checkout switch merge rebase pull stash reset restore cherry-pick revert am apply'.split(' '),
)

/** Programs that run the program after them: `npx husky init`. */
export const RUNNERS: readonly string[] = [
  'npx',
  'bunx',
  'npm exec',
  'pnpm exec',
  'pnpm dlx',
  'yarn dlx',
  'yarn exec',
  'yarn',
]

/** A secret that commands cannot read. */
export type Secret = {
  readonly path: string
  /** The lines with these keys are secret. The others are shown. */
  readonly keys?: readonly string[]
  /** The commands that are known to need it: the user is asked, and they run outside of the sandbox. */
  readonly needs?: readonly string[]
  /** Commands of git that need it if the remote is reached over ssh. */
  readonly overSsh?: readonly string[]
}

const REMOTE = [
  'git push',
  'git fetch',
  'git pull',
  'git clone',
  'git ls-remote',
  'git submodule update',
  'git remote update',
]
const PUSH = ['git push']
const PUBLISH = 'publish unpublish login logout adduser whoami token owner dist-tag deprecate access'.split(' ')
const KUBE = ['kubectl', 'helm', 'k9s', 'skaffold', 'kind', 'minikube']

export const SECRETS: readonly Secret[] = [
  { path: '.ssh', needs: ['ssh', 'scp', 'sftp', 'ssh-add', 'ssh-copy-id', 'ssh-keygen'], overSsh: REMOTE },
  { path: '.aws', needs: ['aws', 'sam', 'cdk', 'eksctl'] },
  { path: '.azure', needs: ['az'] },
  { path: '.config/gcloud', needs: ['gcloud', 'gsutil', 'bq'] },
  { path: '.config/gh', needs: ['gh', ...PUSH] },
  { path: '.netrc', needs: PUSH },
  { path: '.git-credentials', needs: PUSH },
  { path: '.config/git/credentials', needs: PUSH },
  { path: '.docker/config.json', needs: ['docker', 'docker-compose', 'podman', 'buildah', 'skopeo'] },
  { path: '.kube', needs: KUBE },
  {
    path: '.npmrc',
    keys: ['_authToken', '_auth', '_password'],
    needs: ['npm', 'pnpm'].flatMap((name) => PUBLISH.map((command) => `${name} ${command}`)),
  },
  { path: '.pypirc', needs: ['twine upload', 'poetry publish', 'flit publish', 'hatch publish'] },
  { path: '.gem/credentials', needs: ['gem push', 'gem yank', 'gem owner', 'gem signin'] },
  { path: '.cargo/credentials.toml', needs: ['cargo publish', 'cargo login', 'cargo owner', 'cargo yank'] },
  { path: '.cargo/credentials', needs: ['cargo publish', 'cargo login', 'cargo owner', 'cargo yank'] },
  // Keys of other agents.
  ...['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json', '.qwen/oauth_creds.json'].map(only),
  ...['.local/share/opencode/auth.json', '.pi/agent/auth.json'].map(only),
  // Profiles of browsers, and the stores of their passwords.
  ...['.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge'].map(
    only,
  ),
  ...['.config/vivaldi', '.config/opera', 'snap/firefox', 'snap/chromium', '.var/app/org.mozilla.firefox'].map(only),
  ...['.var/app/com.google.Chrome', '.var/app/org.chromium.Chromium', '.local/share/keyrings'].map(only),
  ...['Google/Chrome', 'Chromium', 'Firefox', 'BraveSoftware', 'Microsoft Edge', 'Arc', 'Vivaldi'].map((name) =>
    only(`Library/Application Support/${name}`),
  ),
  ...['Library/Safari', 'Library/Cookies', 'Library/Keychains'].map(only),
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-'].map(only),
]

function only(path: string): Secret {
  return { path }
}

/** Downloads that commands share with everything else on this machine. Nothing in them runs by itself. */
export const SHARED_CACHES: readonly string[] = [
  ...['.pnpm-store', '.local/share/pnpm/store', '.m2/repository', '.gem/specs'],
  ...['Library/Caches/pip/http', 'Library/Caches/pip/http-v2', 'Library/Caches/Homebrew/downloads'],
]

/** The folders that variables name for commands to write to. */
export const WRITABLE_VARIABLES: readonly string[] = ['TMPDIR', 'XDG_RUNTIME_DIR', 'CARGO_TARGET_DIR']

/** A cache with programs in it, or with what is built into programs. Commands get a private one for the session. */
export type PrivateCache = {
  readonly folder?: string
  /** The variable that names the folder. */
  readonly variable?: string
  /** Downloads in it, which are shared. */
  readonly shared?: readonly string[]
  /** Entries of the user's that the private one shows: folders read-only, files as copies. `*` at the end: each entry. */
  readonly shows?: readonly string[]
}

export const PRIVATE_CACHES: readonly PrivateCache[] = [
  {
    folder: '.cache',
    variable: 'XDG_CACHE_HOME',
    shared: ['pip/http', 'pip/http-v2', 'huggingface/hub', 'torch/hub/checkpoints', 'Homebrew/downloads'],
    shows: [
      ...['pre-commit/*', 'node/corepack', 'ms-playwright', 'ms-playwright-go', 'puppeteer', 'Cypress', 'electron'],
      ...['selenium', 'bazelisk', 'prisma', 'typescript'],
    ],
  },
  { folder: '.npm', variable: 'npm_config_cache', shared: ['_cacache', '_logs'] },
  {
    folder: '.gradle',
    shared: ['caches/modules-2'],
    shows: ['init.d', 'init.gradle', 'init.gradle.kts', 'gradle.properties', 'jdks'],
  },
  { folder: '.yarn', shared: ['berry/cache', 'berry/metadata'], shows: ['bin', 'lib', 'releases'] },
  { folder: '.local/share/pnpm/.tools', shows: ['pnpm/*'] },
  { folder: '.cargo/registry', shared: ['cache', 'index'] },
  { folder: '.cargo/git' },
  { folder: 'go/pkg', shared: ['mod/cache/download'] },
  { variable: 'GOMODCACHE', shared: ['cache/download'] },
  { variable: 'GOCACHE' },
  { folder: '.bun/install/cache' },
  { folder: '.nuget/packages' },
  { folder: '.bundle/cache' },
  { folder: '.ccache', variable: 'CCACHE_DIR' },
  { folder: '.rustup/tmp' },
]
