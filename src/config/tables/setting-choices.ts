// Values of settings for the help: the words that a setting accepts, and the default ports. They are not in the schemas, so that
// `--help` does not load zod.

export const SANDBOX_CHOICES = ['on', 'no-network', 'off'] as const
export const PERMISSION_CHOICES = ['ask', 'auto-edit', 'full'] as const
export const THEME_CHOICES = ['dark', 'light', 'none', 'auto'] as const

export const DEFAULT_PORTS = { server: 7_484, gateway: 7_485 } as const
