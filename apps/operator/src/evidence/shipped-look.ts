import type { DoctorContext } from '../doctor/define-fault.ts'
import { lookAtShipped, type ShippedLook } from '../steps/dashboards.ts'
import type { ShippedFolder } from '../steps/shipped-objects.ts'

/** What the dashboard part has of a shipped folder, asked for once a round. */
export function shippedLook({ look, stack }: DoctorContext, folder: ShippedFolder): Promise<ShippedLook> {
  return look.once(`shipped ${folder}`, () => lookAtShipped(stack, folder))
}
