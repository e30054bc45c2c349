"""Verifies receipts without trust in the service that made them.

The rules are docs/receipt.schema.json, docs/guides/verify.md and docs/guides/receipt-formulas.md. This package follows
them, and no other implementation, so that two verifiers can confirm each other.
"""

from ._differences import Step, Verification
from ._keys import ReceiptKey
from ._log import LogVerification, leaf_of, verify_anchor, verify_consistency, verify_inclusion
from ._verify import verify_receipt

__all__ = [
    "LogVerification",
    "ReceiptKey",
    "Step",
    "Verification",
    "leaf_of",
    "verify_anchor",
    "verify_consistency",
    "verify_inclusion",
    "verify_receipt",
]
