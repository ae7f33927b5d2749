import type { ErrorHelp } from '../errors.ts'

/** Of the organization itself: members, mail, webhooks, card accounts. */
export const SETTING_ERRORS = {
  last_owner: {
    cause: 'The member is the only owner who has joined.',
    remedy: 'Make somebody else an owner first.',
    detail: 'This is the last owner who has joined. Make somebody else an owner first.',
  },
  member_exists: {
    cause: 'The email address belongs to a member already, invited or joined.',
    remedy: 'Change the member’s role instead, or mail the invitation again.',
    detail: 'grace@example.com is a member already, or invited.',
    field: 'email',
  },
  role_beyond_own: {
    cause: 'The operation gives, takes or uses a role that is beyond the caller’s own, or beyond what the key may do.',
    remedy: 'Ask somebody with that role, or use a LIVE key with its permissions.',
    detail: 'This role may change what is LIVE, and a TEST key may not. Use a LIVE key, or the dashboard.',
    field: 'role',
  },
  approval_needed: {
    cause: 'The organization is new, and whoever runs this installation hasn’t approved it for networks of real value.',
    remedy: 'Use test networks until then, or ask them for the approval.',
    detail:
      'This organization is new: until whoever runs this installation has approved it, it uses test networks only.',
  },
  mode_mismatch: {
    cause: 'A TEST key was used for something LIVE, or a network and an account are of different modes.',
    remedy: 'Use a LIVE key for what has real value, and TEST keys on test networks.',
    detail: 'A TEST key changes only what is on test networks.',
  },
  payment_integration_exists: {
    cause: 'A card account of this mode is connected already.',
    remedy: 'Use it, or disconnect it first.',
    detail: 'A TEST card account is connected already. Disconnect it first.',
  },
  payment_integration_in_use: {
    cause: 'A payment is open, or a refund under way, at this card account.',
    remedy: 'Wait until they have ended, then disconnect it.',
    detail:
      'A payment is open or a refund under way on this card account. ' +
      'Pause its listings and try again when they are done.',
  },
  card_provider_refused: {
    cause: 'The card provider refused the request; its reason is in the detail.',
    remedy: 'Do what the reason says, usually in the provider’s own dashboard.',
    detail: 'The card account is no longer connected. Connect it again.',
  },
  email_integration_exists: {
    cause: 'The organization has an email integration, and there can be one.',
    remedy: 'Change it with PATCH, or delete it first.',
    detail: 'This organization has an email integration. Change it, or delete it first.',
  },
  email_config_invalid: {
    cause: 'The settings name another mail provider than the integration has.',
    remedy: 'Delete the integration and create one for the other provider.',
    detail: 'This integration is MAIL_API, which can’t change. Delete it and make a new one.',
    field: 'provider',
  },
  mail_refused: {
    cause: 'The mail server or provider didn’t accept the message; its answer is in the detail.',
    remedy: 'Correct the settings by that answer, then activate the integration again.',
    detail: 'Mailgun refused: Invalid private key.',
  },
  address_suppressed: {
    cause: 'Mail to the address bounced, or its owner reported one as spam.',
    remedy: 'Use another address, or delete the entry under /v1/suppressions once the mailbox works.',
    detail:
      'Mail to this address is stopped since it bounced on 20 November 2026. ' +
      'Allow it again in the email settings first.',
    field: 'email',
  },
  template_invalid: {
    cause: 'The template uses an unknown variable, leaves a section open, or lacks a variable that it needs.',
    remedy: 'Correct the line that `errors` names. The preview operation shows all faults at once.',
    detail: 'body: Line 3: There is no variable {{item_titel}}. Did you mean {{item_title}}?',
    field: 'body',
  },
  webhook_url_invalid: {
    cause: 'The address isn’t https, or its host isn’t on the public internet.',
    remedy: 'Give an https address that anybody can reach. EGRESS_ALLOW opens others to whoever runs the installation.',
    detail: 'Only https addresses are posted to.',
    field: 'url',
  },
  webhook_disabled: {
    cause: 'The webhook was disabled by a member, or because all its deliveries failed for five days.',
    remedy: 'Enable it with PATCH `status` ENABLED, then repeat the request.',
    detail: 'This webhook is disabled. Enable it first.',
  },
  webhook_limit: {
    cause: 'The organization has as many webhooks as are allowed.',
    remedy: 'Delete one that is no longer used, or let one receive the events of several.',
    detail: 'An organization has 50 webhooks at most. Delete one first.',
  },
  image_invalid: {
    cause: 'The file isn’t a picture that can be read, is too large, or the URL names no uploaded file.',
    remedy: 'Send JPEG, PNG, WebP, GIF, AVIF or SVG of at most 25 MiB and 50 megapixels.',
    detail: 'This is not an image that can be read.',
    field: 'file',
  },
  movement_lost: {
    cause:
      'The file is a moving picture of a kind of which only a still one can be stored: an animated SVG, PNG or AVIF.',
    remedy: 'Send the animation as GIF or WebP, or repeat the request with `still` set to true.',
    detail:
      'This picture moves, and would be stored as a still one. Send it as GIF or WebP, or with still set to true.',
    field: 'file',
  },
  import_invalid: {
    cause: 'The file isn’t a readable CSV, or has INVALID lines while `skip_invalid` isn’t set.',
    remedy: 'Read the verdicts of its lines, correct them and import it again, or leave them out with `skip_invalid`.',
    detail: '2 lines can’t be carried out. Mend the file, or leave those lines out (skip_invalid).',
  },
  unknown_columns: {
    cause: 'The file of claims has columns that nothing reads, and it was to be started.',
    remedy: 'Name the columns as the documentation does, or list their names in `ignore_columns`.',
    detail:
      'Nothing reads the column “Notes”. Name what it means as the documentation does, or list it in ignore_columns.',
    field: 'ignore_columns',
  },
  import_not_ready: {
    cause: 'The import was started, has ended or was cancelled already.',
    remedy: 'Read its state; import the file again where lines are missing. Lines that are done aren’t repeated.',
    detail: 'This import was started or cancelled before.',
  },
} as const satisfies Record<string, ErrorHelp>
