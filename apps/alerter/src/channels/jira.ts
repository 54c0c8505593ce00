import { z } from 'zod'
import { readAccount } from './account-file.ts'
import { defineChannel, secretOr } from './define-channel.ts'
import { basicAuth, postJson, urlOption } from './post-json.ts'

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([])

/**
 * An issue in Jira, with ElastAlert's options. It bears the label `logstack-<alert>` and is made only where no issue bears it yet, so a second
 * delivery makes no second issue.
 */
export const jira = defineChannel({
  name: 'jira',
  options: {
    jira_server: urlOption,
    jira_project: z.string().min(1),
    jira_issuetype: z.string().min(1),
    jira_account_file: z.string().min(1).optional(),
    /** Instead of the account file: name and password, or a token alone. */
    jira_user: secretOr(z.string().min(1)).optional(),
    jira_password: secretOr(z.string().min(1)).optional(),
    jira_assignee: z.string().optional(),
    jira_component: names,
    jira_components: names,
    jira_label: names,
    jira_labels: names,
    jira_parent: z.string().optional(),
    jira_description: z.string().default(''),
    /** The priority's name or id. */
    jira_priority: z.union([z.string(), z.number().int().transform(String)]).optional(),
  },
  server: { addresses: ['jira_server'], secrets: ['jira_account_file', 'jira_user', 'jira_password'] },
  send: async (message, options, context) => {
    const server = options.jira_server.replace(/\/+$/u, '')
    const headers = { authorization: authorization(options, context) }
    const label = `logstack-${message.id}`
    const jql = encodeURIComponent(`project = "${options.jira_project.replaceAll('"', '')}" AND labels = "${label}"`)
    const found = await postJson(
      { url: `${server}/rest/api/2/search?maxResults=1&fields=key&jql=${jql}`, method: 'GET', headers },
      context,
    )
    const known = z.object({ issues: z.array(z.object({ key: z.string() })).min(1) }).safeParse(found.body)
    if (known.success) return `${known.data.issues[0]?.key} was there already`
    const components = [...options.jira_component, ...options.jira_components]
    const priority = options.jira_priority
    const fields = {
      project: { key: options.jira_project },
      issuetype: { name: options.jira_issuetype },
      summary: message.subject.slice(0, 255),
      description: `${options.jira_description}\n${message.body}`.trim().slice(0, 32_000),
      labels: [...options.jira_label, ...options.jira_labels, label],
      ...(components.length > 0 ? { components: components.map((name) => ({ name })) } : {}),
      ...(options.jira_assignee === undefined ? {} : { assignee: { name: options.jira_assignee } }),
      ...(options.jira_parent === undefined ? {} : { parent: { key: options.jira_parent } }),
      ...(priority === undefined ? {} : { priority: /^\d+$/u.test(priority) ? { id: priority } : { name: priority } }),
    }
    return (await postJson({ url: `${server}/rest/api/2/issue`, body: { fields }, headers }, context)).said
  },
})

function authorization(
  options: {
    readonly jira_account_file?: string | undefined
    readonly jira_user?: string | undefined
    readonly jira_password?: string | undefined
  },
  context: Parameters<typeof readAccount>[1],
): string {
  if (options.jira_account_file !== undefined) {
    const account = readAccount(options.jira_account_file, context)
    return 'apikey' in account ? `Bearer ${account.apikey}` : basicAuth(account.user, account.password)
  }
  const { jira_user: user, jira_password: password = '' } = options
  return user === undefined ? `Bearer ${password}` : basicAuth(user, password)
}
