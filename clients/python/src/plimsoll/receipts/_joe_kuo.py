"""The direction numbers of 365 dimensions of new-joe-kuo-6, by S. Joe and F. Y. Kuo (2008). Their licence:

Copyright (c) 2008, Frances Y. Kuo and Stephen Joe
All rights reserved.

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
conditions are met:

  * Redistributions of source code must retain the above copyright notice, this list of conditions and the following
    disclaimer.

  * Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
    disclaimer in the documentation and/or other materials provided with the distribution.

  * Neither the names of the copyright holders nor the names of the University of New South Wales and the University of
    Waikato and its contributors may be used to endorse or promote products derived from this software without specific
    prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT
LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL
THE COPYRIGHT HOLDERS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH
DAMAGE.
"""

from __future__ import annotations

#: The number of dimensions whose polynomial has this degree, from 1 on. The first dimension has no polynomial.
DIMENSIONS_BY_DEGREE = (1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 28)
#: Of each dimension, in bits: the inner coefficients of the polynomial, and the start values without their last bit.
PACKED = (
    "2QJM2JKESJ3ZtANBXsvDYeGj0qE24mOYrTszKU+B9s+YnzHiHOOL5GgMaOmSOqcW+PVVmjzmImifeBIEHTJdlMxylO1gbq5bpGUJai3SuA3D"
    "Ye97cbzH1Q7QHT+Zj0V3/r7AtKpZviaXaxhF79FoLMecfAnZQSUHM0UlR05x6ELLkOlyTo43rz7G1CFfhwwg3Vyxn7hCSPnFv/dXopatQgjL"
    "kL1u8NtEGwQiEAomWCqxaLDns/kZFVD7RbLFUdhztS9ebKA78079NMRuNwbPvvKTtbztjFA+Oy6auAQxa198kkp1RuJ6FRSg1AFBUnrHB97V"
    "fBKgygVbO8w3/zXqC/YtP2ckE+v3ZoTt6XmQbVY11b9XoIDDaKx8PDnIMQiZTrRnV4qB2v/xiPx32lWYkUQC58SpgouDhk+dFMukZwp6t74y"
    "h63RcMnTmwYu3yPRtSrFo2JbZ8ywvOK55Qx43gv55mmsB8IAISSL3Hnepwbx2mZbVB19ykol4a7jrRqZ2U5TFQN4Tub/OIXmrqYTcils7Lpa"
    "W4fPHG6g/u/0SUSzps/a+kg9SQJOQkuLe5Qa0U3/6G8wnGg6/jZKwsclw+Fqexl9JhEIJcBvlPQyk/UiAj/xyrPiiK40wS/wVDFHSMBOfxDX"
    "wL426kPzmqHqXbLpzzcniWAuET+27n1+g6kNJhIzjUwEZt98jgmqkiT/Pq1tE0xw3IZ3DYU8HRtFmt4lCpGVnacRlX21rQiBclrxfIYyXHWE"
    "bF7mt2TmPUqlTKpyWWi+8kPHOGhoCzi9ZKXH2WDptDJnlWVPz0FZn33C+kKB+H6csys56mISZwby7mJIVIDuhW4gYlNU/tO3aY2zH+VgxgpD"
    "8sMmo+JJOk3H4e0WJaXv7i+g8Z4RbgL4wC5+fmxGTbL6JGaWfuIma1TmyEtQAbANiIC3ezrS3uMaDVa7fhYlSj7rL9Wvk1d/ocWewzgf5zcd"
    "wT1528+sgWFRJJzLs5cQO9PH9NGUyQfJLpdN2CbfllJtUIDNsUWzdZPfHYa+Jdivyk/1+rt9VNnpbH6uNsntYyMAOTLrKmk16exbI+d9cFfa"
    "5U/RUTz/y89F/Mu2v4GYR2OZZwCv3HD04EJ1AX6K66h28RjBVc0bclk1LkCyyoMh5MWswI4A9DrXuxNoYvRATdrGzRwyN0I64u2EGBx3lPCN"
    "0vcFD2xYrZngCA6I0Y5DsDXnCwSitBxzlb21wn344L+i739xUgYm2DRF4ECw4IziiHo2xGdzMe7DjjDWNDNnVhNijcIcCW0+97rHWo5nm6V2"
    "td4ex1F1m0uFGNtD1+QmpALaruIbhKx8k6X8qRN2ACG9auD8kgLkJuhuBpRKE+5kTNxT2Cd6LZBPtp9+E8wEVxu0xcxKJllqw6MimEUnKMtG"
    "axtQAqCmd3kiid/pW49wYQp3GAy5q5V41/qd+l1+gikY94JYL/Z+ILuXYjeYI8V/vkJYhgxx7GVjJUlkpq/PMqUQXInzW9s2SyKgaxm5/Las"
    "u4MOzOOHmFTQUvjEdjWloZclR0s8osFBgFI2wx9xKfhNm1uK0AMXXdUbSh/IGAs+IqkrUpQn1EZBihRbEhUFV5CHHFUJFGUZ1iT3WdqSSKpz"
    "P5TLPkwb3bG8sFV8psjNFjO+lalTyYIdR5wuwwn7ZFgYXi8u5QoKjegMQXNakKDK+mctRsVOuCRt4oqbBKmaHsemt5AYVUPP40nrGR2rKq1b"
    "QEaNIhWkkDl9sV7kq1D1+piMXam1vW0nhV/spILpFqSN5NHbDXdFu/fWGJ7IvF7NYaYXlXlfd7qi1376PzA60Egn8MtMWEed/AgLfvysQ+Jz"
    "5mmJz7ZlyWF1fzm/Ez6lN83oQrVxoEkTqxn79bTSkywFkq2wXWsIZdS6RNAJNePjJv1N2YYbIyHNl39Mf029nfEZ+nVvlvvzfZXuFSlLh/YK"
    "PO+rdTHFppkpEPUGQuSIoIAQKpELcpGTEFb15F+6+zEqk+mJjZ24CylAYUpvbvHzx21x1z+Hk40kEiiLwyPbP6yQXlIkNe55TwKVzTs++eZ7"
    "kDy7/7h9tDUsHxmAlUC82aTd/7meIGNDMlwQ89oQZZPSidSEhHg9j4E0zqep/FYJGdU2Ku9eMApC1CMNe9cazJS1orDBOI5RPHMIjOcJyE1F"
    "Vy3xEV6kTeve33wHp3JfkDFuH5U8+TVlKIYDh8xcnD/QanENYHJZx0aOggQlcS/N6Wo6GBH+mN7xczEfvJvMyuJOHynXN2aaqL+o7wYrs1G4"
    "/ASw4ZYJxS8sudi3X9ToKizucyCLsntVa79JmCzrQLQK15VfSGyhxRV9BypXb1HZJNBRhEtlaTbMDu+EhH5UtCi6rQuhAYqDWViA05K+/UcT"
    "iKaBypgiqgChAqN7Ad9WBpGZWlqAMqxTgDOJXyszVvfcqrjvD1triM97tpBtjzZLsaR2QOq0Gz5A/WIJI1ENqErQA5JoOArdQ221DNaVc29r"
    "kV79S0NfuRegXfa82bnddojlmzhpPW7alJlQ4uRCt4EPb+Mo2vHrzrCD6QkVWm31s82upMMXawJb0YBmtLeHhzAStXbh9jXEPMFoiKOvbOJ+"
    "/UbQG/w+sVfCB/RQfpg4zUWkLH3OfDxx0/dj+Q5dTka8iayJ26hDJfAiy4fGo/GVZ1pKadqxO8vzd+yL7lPV5xRkYIOTYD7z3uYCzBaeHzn1"
    "ShOXeYQV/QD61rZweft2kl1ZmSrp4tNPDMw/mGxvraiVMHHO7DE512wZmHlyzQZs/Jy1mAaGxbbmTpaUSHpN28qGPRRkssjd8c3ZyZg8LtcK"
    "jmdT+TymX4xk/EmeSVoXzHF50mO5r5vmytXOY9wt4/XCrduF7/O2u1P3Nwixvui9tCAZ3fyCHx7oB6rCFPzMf4IO4sHePI/PyCSLKDFNSmPl"
    "wnxN7AI0/fNt1fHJdSohemcn8k3CVCo9bkerYXJnmZ7WKpjXCusLj5vJhyJeK+Pf06lEqbz/aGPy5w+ykuEUpfpmSroSGU3DBS2PfKEdl905"
    "4DSAb51b6YC4LoHt9w1g7jeViAoPrT1lT2cjOfYgmKv1QSh6Gdx+BodrBe0/8EKDADrud+tgtbczLcIN3eWqygIz0fcR5rya2sHU7XpQkcWK"
    "aJY2I8USROwkBKtnf9FBmCnjd3q9/XXB+AFXtXGRH+YZCcmLAfkhpJOBpLuEWqzR5vnsLWZnwwqrUv9veZF4lBs2drzIhmBBbfjsD63wQx2J"
    "qEsHfIx4bRskqMwGQawoj6JgVr/XUjdu84erNBEogpHj1RDvH6QU+diZiY7aeJwBHW4E5IL8onjlgelZJ+DQlql5APPoEVw0Ydon7isktQsC"
    "3nIB/IeVd0pZfYhImlTyoElA"
)
