import type { ErrorHelp } from '../errors.ts'

/** Of collections, items and their contracts. */
export const ITEM_ERRORS = {
  operator_gone: {
    cause:
      'The operator who has the token in custody, or who mints for the collection, has no key configured any more, ' +
      'so that nobody can send it.',
    remedy: 'Whoever runs the installation configures that key again; nothing was used up.',
    detail:
      'This can’t be handed over just now: the sender has to mend something first. ' +
      'Nothing was used up; try again later.',
  },
  collection_not_deployed: {
    cause: 'The collection has no contract yet, or its deployment hasn’t succeeded.',
    remedy: 'Request the deployment and wait for status SUCCESS, then repeat the request.',
    detail: 'Deploy the collection first: until then nobody holds anything of it.',
  },
  collection_already_deployed: {
    cause: 'The collection has a contract, or its deployment is under way.',
    remedy: 'Use that contract; another one needs another collection.',
    detail: 'This collection’s contract is deployed, or on its way.',
  },
  collection_in_use: {
    cause: 'The collection has items or a contract.',
    remedy: 'Delete its unlocked items first. A deployed collection stays; make it private with `is_public` false.',
    detail: 'This collection has items or a contract. Only an empty one can be deleted.',
  },
  item_already_locked: {
    cause: 'A locked item keeps its token id, its supply and its type, and can’t be deleted.',
    remedy: 'Leave out the items that `errors` names; they are locked already.',
    detail: 'This item is locked already.',
    field: 'item_id',
  },
  item_not_locked: {
    cause: 'Only locked items can be listed, sent, sold or minted.',
    remedy: 'Lock it with POST /v1/items/lock first.',
    detail: 'Lock the item first: only locked items can be listed.',
  },
  item_already_minted: {
    cause:
      'The item is minted and its collection has `editable_metadata` false, so that its owners rely on the attributes.',
    remedy: 'Leave the attributes as they are. The choice is made before the first mint.',
    detail: 'Attributes of a minted item can’t change: its collection has editable_metadata false.',
  },
  already_minted: {
    cause: 'The item is one of a kind and its token exists on the chain; it isn’t in our custody.',
    remedy: 'Choose items with `token_status` NOT_MINTED. Its owner alone can transfer a minted token.',
    detail: 'This token is minted already: it can’t be minted again.',
    field: 'item_id',
  },
  item_type_in_use: {
    cause: 'Items or collections use the type, so that its schema is fixed and it can’t be deleted.',
    remedy: 'Create another type. The name can change at any time.',
    detail: 'Items or collections use this type: its schema can’t change any more. Make another type.',
  },
  token_id_taken: {
    cause: 'Another item of the collection has this token id.',
    remedy: 'Give another token id.',
    detail: 'Token id 7 is taken in this collection.',
    field: 'token_id',
  },
  token_id_invalid: {
    cause: 'Token ids are assigned otherwise in this collection, or the id is 2^256 or more.',
    remedy: 'Give `token_id` only where the collection assigns ids MANUAL, and there for each item.',
    detail: 'Token ids of this collection are given automatically.',
    field: 'token_id',
  },
  attributes_invalid: {
    cause: 'The attributes aren’t valid against the JSON Schema of the item type.',
    remedy: 'Correct the attributes that `errors` names, or use another item type.',
    detail: 'attributes.petals: This attribute is required.',
    field: 'attributes.petals',
    fieldCode: 'required',
  },
  schema_too_slow: {
    cause:
      'Checking the attributes by the JSON Schema of the item type takes too much processor time or memory: ' +
      'more than 250 ms for an item, 1 s for a request or 30 s for an import.',
    remedy:
      'Make an item type whose patterns have no lookaround, no backreferences and no repetitions within repetitions, ' +
      'and whose lists are checked by one schema.',
    detail: 'attributes: The item type’s schema takes too long to check these attributes.',
    field: 'attributes',
    fieldCode: 'schema_too_slow',
  },
  schema_invalid: {
    cause: 'The schema of an item type isn’t valid JSON Schema (draft 2020-12), or refers to another document.',
    remedy: 'Correct the part that `errors` names. `$ref` may refer to the schema itself only.',
    detail: 'schema: A reference may only point within the schema: it begins with #.',
    field: 'schema',
    fieldCode: 'reference',
  },
  deployment_invalid: {
    cause:
      'The deployment isn’t possible as requested: no contract at the address, another standard, ' +
      'or options that don’t go together.',
    remedy: 'Correct the field that `errors` names.',
    detail: 'There is no contract at this address on Sepolia.',
    field: 'external.address',
  },
  not_external: {
    cause:
      'The collection has no contract, or one that this installation deployed: its metadata is what the items say.',
    remedy: 'Ask only for a collection whose `deployment.type` is EXTERNAL.',
    detail: 'Only the metadata of an external contract that is connected can be read again.',
  },
  network_unavailable: {
    cause: 'The installation isn’t connected to this network, or can’t deploy there.',
    remedy: 'Choose a network of GET /public/v1/networks.',
    detail: 'This installation is not on network 5.',
    field: 'network_id',
  },
  royalty_unsupported: {
    cause: 'The collection’s contract is another’s, and doesn’t let us set royalties.',
    remedy: 'Leave `royalty_info` out; its owner sets royalties.',
    detail: 'This collection’s contract does not let us set royalties.',
    field: 'royalty_info',
  },
  supply_invalid: {
    cause: 'The supply or quantity doesn’t go with the token standard: an ERC-721 item has one unit.',
    remedy: 'Use 1 for ERC-721; more units need an ERC-1155 collection.',
    detail: 'There is one unit of each item of an ERC-721 collection.',
    field: 'quantity_listed',
  },
  mint_not_allowed: {
    cause: 'The collection’s contract is another’s, and our operator may not mint there.',
    remedy: 'Its owner gives our operator the right to mint; then request the deployment again.',
    detail:
      'This collection’s contract is another’s and does not let us mint: ' +
      'its owner must give our operator the right first.',
  },
  gas_budget_spent: {
    cause: 'The organization has spent what the installation allows for gas on this network in 24 hours.',
    remedy: 'Wait, or ask whoever runs the installation for a higher budget.',
    detail: 'This organization has spent its gas budget on this network for the last 24 hours.',
  },
  transfer_unsupported: {
    cause:
      'The collection’s contract takes no signed transfers, being older or another’s, or its tokens are soulbound.',
    remedy: 'Send it from the holder’s wallet with `safeTransferFrom`, unless it is soulbound.',
    detail:
      'This collection’s contract takes no signed transfers. ' +
      'Its holders send tokens from their wallets, and pay the gas.',
  },
  transfer_refused: {
    cause: 'The transfer would revert: the deadline has passed, the nonce is used, or the holder hasn’t so many units.',
    remedy: 'Read the field’s code, mend it and sign again with a new nonce.',
    detail: 'This address doesn’t hold the token.',
    field: 'from_address',
    fieldCode: 'not_owner',
  },
  transfer_exists: {
    cause: 'The holder signed another transfer with this nonce, and that one was accepted.',
    remedy: 'Sign with a new nonce; a random one is best.',
    detail: 'Another transfer was signed with this nonce. Sign with a new one.',
    field: 'nonce',
  },
  holder_pays: {
    cause:
      'The organization pays for one transfer of a token and three of a holder in 24 hours, ' +
      'within a daily budget for each network, and `reason` says which is reached.',
    remedy: 'The holder sends it from a wallet and pays the gas, or waits a day.',
    detail:
      'The gas is paid for once a day for each token, and this one was sent within the last 24 hours. ' +
      'You can send it from your wallet and pay the gas yourself.',
    more: { reason: 'token_sent_today' },
  },
  in_escrow: {
    cause:
      'A holder sent this token to a mailbox. It is in the custody of an operator, and kept for its recipient: ' +
      'the organization can’t offer, send or take it back.',
    remedy: 'Wait: the recipient takes it, or it goes back to its sender after 30 days.',
    detail: 'The holder of this item sent it to somebody. It is kept for them until they take it, or it goes back.',
  },
  transaction_in_use: {
    cause: 'The transaction delivers an email claim or a purchase, or sends a token for its holder.',
    remedy: 'Revoke the claim or refund the purchase instead. A holder’s transfer ends at its deadline.',
    detail: 'This transaction delivers an email claim or a purchase, and a promise isn’t cancelled.',
  },
  transaction_finished: {
    cause: 'The transaction is completed, failed or cancelled.',
    remedy: 'Nothing is left to cancel; read its state.',
    detail: 'This transaction is COMPLETED: there is nothing left to cancel.',
  },
  contents_fixed: {
    cause:
      'The collection has a delayed reveal, and something of it is listed, claimed or minted. ' +
      'No item can be locked until the reveal, and contents stay as they are: until the reveal, ' +
      'and with `editable_metadata` false for good. Nor can `editable_metadata` be turned on.',
    remedy:
      'Lock all items before you offer the first one; new ones can be locked after the reveal. ' +
      'Cancelling a listing or claim before anybody has bought ends its commitment.',
    detail:
      'Items of this collection are listed, claimed or minted already: ' +
      'its delayed reveal promises that their contents stay as they are.',
  },
  reveal_impossible: {
    cause: 'The collection isn’t hidden, has unlocked items, or its reveal strategy is fixed.',
    remedy: 'Lock all items before the reveal; choose `reveal_strategy` before the first one is locked.',
    detail: 'Nothing of this collection is hidden: its reveal_strategy is INSTANT.',
  },
  already_revealed: {
    cause: 'The collection is revealed, and that happens once.',
    remedy: 'Nothing is left to do.',
    detail: 'This collection is revealed already. What each item got stays.',
  },
} as const satisfies Record<string, ErrorHelp>
