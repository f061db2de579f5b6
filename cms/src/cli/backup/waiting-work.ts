import { counted } from '../../base/text.ts'
import type { CopiedRow } from '../../store/table-copies.ts'
import { FIRST_CONTENT } from '../command/site-module.ts'

const NOT_SENT = 'Not sent: the backup was restored without webhooks.'

/** Counts the work that a service on a restored database goes on with, while its rows pass. */
export class WaitingWork {
  deliveries = 0
  /** Webhooks that are enabled. */
  webhooks = 0
  publications = 0
  archivings = 0
  readonly jobs: string[] = []
  readonly #withWebhooks: boolean

  /** Without webhooks, those in the rows are switched off, and waiting deliveries are not sent. */
  constructor(withWebhooks: boolean) {
    this.#withWebhooks = withWebhooks
  }

  /** A row as it is to be restored. */
  pass(table: string, row: CopiedRow): CopiedRow {
    if (table === 'webhooks' && row.enabled === 1) return this.#webhook(row)
    if (table === 'webhook_deliveries' && row.status === 'pending') return this.#delivery(row)
    if (table === 'jobs' && row.name !== FIRST_CONTENT) this.jobs.push(String(row.name))
    if (table === 'schedules' && typeof row.publish_at === 'number') this.publications += 1
    if (table === 'schedules' && typeof row.archive_at === 'number') this.archivings += 1
    return row
  }

  #webhook(row: CopiedRow): CopiedRow {
    this.webhooks += 1
    return this.#withWebhooks ? row : { ...row, enabled: 0 }
  }

  #delivery(row: CopiedRow): CopiedRow {
    this.deliveries += 1
    return this.#withWebhooks ? row : { ...row, status: 'failed', error: NOT_SENT }
  }

  /** Describes the work to the operator, in lines of text. */
  lines(): string[] {
    const { deliveries, webhooks, publications, archivings, jobs } = this
    const counts = [
      ...(this.#withWebhooks ? [counted(deliveries, 'webhook delivery', 'webhook deliveries')] : []),
      counted(publications, 'scheduled publication'),
      counted(archivings, 'scheduled archiving'),
    ].filter((text) => !text.startsWith('0 '))
    const waiting = [...counts, ...(jobs.length === 0 ? [] : [`the jobs ${jobs.toSorted().join(', ')}`])]
    const hasWebhooks = webhooks + deliveries > 0
    return [
      ...(waiting.length === 0 ? [] : [`A service started with this database continues with: ${waiting.join('; ')}.`]),
      ...(hasWebhooks && this.#withWebhooks
        ? [`It sends changes to ${counted(webhooks, 'webhook')}. For a copy that is to send none: --no-webhooks`]
        : []),
      ...(this.#withWebhooks
        ? []
        : [
            `Switched off: ${counted(webhooks, 'webhook')}. Not sent: ${counted(deliveries, 'delivery', 'deliveries')}. ` +
              'Receivers that the site declares receive changes from now on.',
          ]),
    ]
  }
}
